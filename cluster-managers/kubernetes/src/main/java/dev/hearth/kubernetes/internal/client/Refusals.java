package dev.hearth.kubernetes.internal.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import java.time.Duration;

/** Kinds of refusals, from the HTTP status and the Status object of the API. Pure. */
final class Refusals {
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int GONE = 410;
    private static final int TOO_MANY = 429;
    private static final int SERVER = 500;

    private Refusals() {}

    /**
     * The answer that an HTTP status which is no success means; {@code status} is the body, {@code retryAfter} the
     * header, or empty.
     */
    static Answer of(int code, JsonNode status, String retryAfter) {
        String message = status.path("message").asText();
        String words = message.isEmpty() ? "HTTP status " + code : message;
        boolean isStatus = !status.path("reason").asText().isEmpty(); // else another server says so
        boolean isOther = code == CONFLICT && message.contains("the UID in the precondition");
        if (isOther || (code == NOT_FOUND && isStatus && !message.contains("namespaces \""))) {
            return new Answer.Missing();
        }
        return new Answer.Refused(kind(code, status, message), words, pause(retryAfter));
    }

    private static RefusalKind kind(int code, JsonNode status, String message) {
        String reason = status.path("reason").asText();
        boolean webhook = message.contains("webhook");
        if (code == GONE || reason.equals("Expired") || reason.equals("Gone")) {
            return RefusalKind.GONE;
        }
        if (message.contains("exceeded quota") || message.contains("status unknown for quota")) {
            return RefusalKind.QUOTA;
        }
        if (isNamespaceEnding(status, message)) {
            return RefusalKind.NAMESPACE_ENDING;
        }
        if (webhook && code >= SERVER) {
            return RefusalKind.WEBHOOK_DOWN;
        }
        if (message.contains("admission webhook")) {
            return RefusalKind.WEBHOOK_DENIED;
        }
        boolean isAdmission = code == FORBIDDEN && message.contains(" is forbidden: ") && !message.contains("User \"");
        if (isAdmission) {
            return RefusalKind.INVALID; // a limit range, a policy for pods, an account that does not exist
        }
        return switch (code) {
            case UNAUTHORIZED -> RefusalKind.UNAUTHENTICATED;
            case FORBIDDEN -> RefusalKind.DENIED;
            case CONFLICT -> RefusalKind.CONFLICT;
            case TOO_MANY -> RefusalKind.THROTTLED;
            default -> code >= SERVER ? RefusalKind.SERVER : RefusalKind.INVALID;
        };
    }

    private static boolean isNamespaceEnding(JsonNode status, String message) {
        for (JsonNode cause : status.path("details").path("causes")) {
            if (cause.path("reason").asText().equals("NamespaceTerminating")) {
                return true;
            }
        }
        return message.contains("because it is being terminated");
    }

    private static Duration pause(String retryAfter) {
        return retryAfter.matches("\\d{1,5}") ? Duration.ofSeconds(Long.parseLong(retryAfter)) : Duration.ZERO;
    }
}
