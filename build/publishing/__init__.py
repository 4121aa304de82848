"""From a release to the Hugging Face Hub: what goes there, whether it may, and the upload."""
