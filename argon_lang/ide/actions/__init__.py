"""What an editor can do to a program besides mending it: refactorings, each one file, offered first and made later."""
