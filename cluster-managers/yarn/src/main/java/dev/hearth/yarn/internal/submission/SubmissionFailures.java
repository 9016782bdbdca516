package dev.hearth.yarn.internal.submission;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.Locale;

/** Failures of calls to the cluster, in words for the user. Pure. */
public final class SubmissionFailures {
    private static final int CAUSES_MAX = 16;

    private SubmissionFailures() {}

    /** The failure of a submission because of {@code cause}. */
    public static HearthException of(Exception cause) {
        String text = firstLine(cause);
        if (find(cause, UnknownHostException.class)
                || find(cause, ConnectException.class)
                || find(cause, SocketTimeoutException.class)
                || find(cause, NoRouteToHostException.class)) {
            return ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "cluster: " + text
                            + " (expected: its daemons answer); check the addresses in Hadoop's configuration",
                    cause);
        }
        if (text.contains("SafeMode") || text.contains("safe mode")) {
            return ErrorCode.CLUSTER_UNREACHABLE.failure(
                    "file system: " + text
                            + " (expected: one that can be written); wait until the NameNode has left safe" + " mode",
                    cause);
        }
        if (text.contains("not allowed to impersonate")) {
            return ErrorCode.SUBMISSION_REFUSED.failure(
                    "cluster: " + text
                            + " (expected: a user to whom hadoop.proxyuser.* of the cluster allow it); submit without"
                            + " --proxy-user, or ask its administrator",
                    cause);
        }
        if (text.toLowerCase(Locale.ROOT).contains("quota")) {
            return ErrorCode.STORE_FULL.failure(
                    "file system: " + text
                            + " (expected: room for the files of the submission); set hearth.yarn.stagingDir"
                            + " to a directory with room",
                    cause);
        }
        return ErrorCode.SUBMISSION_REFUSED.failure("cluster: " + text, cause);
    }

    /** Whether a call might have reached the cluster although it has failed. */
    static boolean isAnswerLost(Exception failure) {
        return !(failure instanceof HearthException)
                && (find(failure, EOFException.class)
                        || find(failure, SocketException.class)
                        || find(failure, SocketTimeoutException.class));
    }

    private static boolean find(Throwable failure, Class<? extends IOException> type) {
        Throwable next = failure;
        for (int i = 0; i < CAUSES_MAX && next != null; i++) {
            if (type.isInstance(next)) {
                return true;
            }
            next = next.getCause();
        }
        return false;
    }

    private static String firstLine(Exception failure) {
        String message = String.valueOf(failure.getMessage());
        return message.lines().findFirst().orElse(failure.getClass().getSimpleName());
    }
}
