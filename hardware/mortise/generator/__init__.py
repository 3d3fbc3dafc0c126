# SPDX-License-Identifier: Apache-2.0
"""Makes code and pages from the Mortise specification."""
