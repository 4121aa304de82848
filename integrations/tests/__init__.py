"""Tests of the integrations; they run in an environment of their own (make integrations-test)."""
