"""The only room that knows paths: project root, manifest, sources, lock, build and scaffold."""
