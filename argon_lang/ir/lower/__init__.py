"""From trees and what inference found in them to the lowered module. Translates; decides nothing."""
