package dev.hearth.packages.internal;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;

/** Answer of a repository that is no success. */
final class HttpAnswerException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int status;

    HttpAnswerException(int status, String reason, URI target) {
        super(status + (reason == null || reason.isBlank() ? "" : " " + reason) + " for " + target);
        this.status = status;
    }

    /** Whether the repository says that there is no such file. */
    boolean isMissing() {
        return status == HttpURLConnection.HTTP_NOT_FOUND || status == HttpURLConnection.HTTP_GONE;
    }

    int status() {
        return status;
    }
}
