"""Proofs, why-not trees and violations as prose and pictures."""
