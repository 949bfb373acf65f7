"""The one type of error."""

from __future__ import annotations

from typing import Any, Optional


class KurakaError(Exception):
    """There is no result: decide by `code` and `retryable`, never by `message`."""

    def __init__(
        self, code: str, message: str, retryable: bool = False, status: Optional[int] = None,
        request_id: Optional[str] = None, retry_after: Optional[int] = None, details: Optional[dict[str, Any]] = None,
    ) -> None:  # fmt: skip
        super().__init__(f"{code}: {message}")
        self.code = code
        """A code of the API, such as `quota_exceeded`; `no_answer`; `webhook_invalid`."""
        self.message = message
        """For people, in Spanish."""
        self.retryable = retryable
        """Whether the same call may succeed later."""
        self.status = status
        """The HTTP status; `None` if nothing was sent, or nothing was answered."""
        self.request_id = request_id
        """The server's id of the call, with which the operator finds it in the logs."""
        self.retry_after = retry_after
        """The seconds that the server asks to wait."""
        self.details = details or {}
        """The answer as the server sent it: `cubierto` of `date_not_covered`, `desde` of `cursor_expired`."""


class KurakaConnectionError(KurakaError):
    """No answer of the API came: no connection, a timeout, or an answer of something else, such as a proxy."""

    def __init__(self, message: str, retryable: bool = True, status: Optional[int] = None) -> None:
        super().__init__("no_answer", message, retryable, status)
