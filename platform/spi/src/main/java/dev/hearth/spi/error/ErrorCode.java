package dev.hearth.spi.error;

import dev.hearth.api.HearthException;
import java.util.Optional;

/** Stable code of a failure, for people and programs. docs/errors.md describes each code. */
public enum ErrorCode {
    BAD_ARGUMENT(ErrorCategory.USER, ExitCode.USAGE),
    BAD_SETTING(ErrorCategory.USER, ExitCode.USAGE),
    NO_MANAGER(ErrorCategory.USER, ExitCode.USAGE),
    NO_PROVIDER(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    NOT_DEPLOYED(ErrorCategory.USER, ExitCode.REFUSED),
    COMMAND_FAILED(ErrorCategory.USER, ExitCode.FAILED),
    DEPLOY_MODE_UNKNOWN(ErrorCategory.USER, ExitCode.USAGE),
    PATH_MISSING(ErrorCategory.USER, ExitCode.PATH_MISSING),
    PATH_EXISTS(ErrorCategory.USER, ExitCode.FAILED),
    FILE_DAMAGED(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    CHECKPOINT_LOST(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    PACKAGES_UNRESOLVED(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    CLASS_MISSING(ErrorCategory.USER, ExitCode.CLASS_NOT_FOUND),
    NOT_SERIALIZABLE(ErrorCategory.USER, ExitCode.FAILED),
    EMPTY_DATASET(ErrorCategory.USER, ExitCode.FAILED),
    CONTEXT_CLOSED(ErrorCategory.USER, ExitCode.FAILED),
    WRONG_THREAD(ErrorCategory.USER, ExitCode.FAILED),
    APPLICATION_FAILED(ErrorCategory.USER, ExitCode.FAILED),
    TASK_FAILED(ErrorCategory.USER, ExitCode.FAILED),
    STAGE_FAILED(ErrorCategory.RESOURCES, ExitCode.FAILED),
    JOB_CANCELLED(ErrorCategory.USER, ExitCode.FAILED),
    TOO_FEW_SLOTS(ErrorCategory.RESOURCES, ExitCode.FAILED),
    BARRIER_FAILED(ErrorCategory.USER, ExitCode.FAILED),
    APPLICATION_KILLED(ErrorCategory.USER, ExitCode.KILLED),
    APPLICATION_UNKNOWN(ErrorCategory.USER, ExitCode.REFUSED),
    SUBMISSION_UNKNOWN(ErrorCategory.USER, ExitCode.REFUSED),
    SUBMISSION_REFUSED(ErrorCategory.RESOURCES, ExitCode.REFUSED),
    LOG_UNKNOWN(ErrorCategory.USER, ExitCode.REFUSED),
    EXECUTORS_FAILED(ErrorCategory.RESOURCES, ExitCode.FAILED),
    RESOURCE_MISSING(ErrorCategory.RESOURCES, ExitCode.FAILED),
    NOWHERE_TO_RUN(ErrorCategory.RESOURCES, ExitCode.FAILED),
    RESULTS_TOO_LARGE(ErrorCategory.RESOURCES, ExitCode.FAILED),
    CLUSTER_UNREACHABLE(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_UNREACHABLE),
    CLUSTER_LOST(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_LOST),
    PEER_UNREACHABLE(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_UNREACHABLE),
    PEER_LOST(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_LOST),
    PROTOCOL_MISMATCH(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_UNREACHABLE),
    NO_ENDPOINT(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_UNREACHABLE),
    ASK_TIMED_OUT(ErrorCategory.EXTERNAL, ExitCode.CLUSTER_UNREACHABLE),
    MESSAGE_TOO_LARGE(ErrorCategory.RESOURCES, ExitCode.FAILED),
    TOO_MANY_ASKS(ErrorCategory.RESOURCES, ExitCode.FAILED),
    ENDPOINT_BUSY(ErrorCategory.RESOURCES, ExitCode.FAILED),
    ASK_ABORTED(ErrorCategory.USER, ExitCode.FAILED),
    NOT_AUTHENTICATED(ErrorCategory.USER, ExitCode.REFUSED),
    STREAM_MISSING(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    STREAM_CHANGED(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    STREAM_DAMAGED(ErrorCategory.EXTERNAL, ExitCode.FAILED),
    TRANSFER_ABORTED(ErrorCategory.USER, ExitCode.FAILED),
    STORE_FULL(ErrorCategory.RESOURCES, ExitCode.REFUSED),
    DISK_FAILED(ErrorCategory.RESOURCES, ExitCode.FAILED),
    MEMORY_EXHAUSTED(ErrorCategory.RESOURCES, ExitCode.FAILED),
    PORT_IN_USE(ErrorCategory.RESOURCES, ExitCode.START_FAILED),
    START_FAILED(ErrorCategory.INTERNAL, ExitCode.START_FAILED),
    MALFORMED_MESSAGE(ErrorCategory.INTERNAL, ExitCode.FAILED),
    INTERNAL(ErrorCategory.INTERNAL, ExitCode.UNCAUGHT);

    private final ErrorCategory category;
    private final ExitCode exit;

    ErrorCode(ErrorCategory category, ExitCode exit) {
        this.category = category;
        this.exit = exit;
    }

    public ErrorCategory category() {
        return category;
    }

    /** Exit code of a process that ends because of a failure with this error code. */
    public ExitCode exit() {
        return exit;
    }

    /**
     * Creates a failure with this code. The message has the form {@code subject: what was found (expected: the rule);
     * what to do}. If it quotes another failure, only the first rule of each line is kept.
     */
    public HearthException failure(String message) {
        return new HearthException(name(), StatedRule.onlyFirst(message));
    }

    public HearthException failure(String message, Throwable cause) {
        return new HearthException(name(), StatedRule.onlyFirst(message), cause);
    }

    /** The constant for the code of {@code failure}; empty if this version of Hearth does not know that code. */
    public static Optional<ErrorCode> of(HearthException failure) {
        for (ErrorCode code : values()) {
            if (code.name().equals(failure.code())) {
                return Optional.of(code);
            }
        }
        return Optional.empty();
    }
}
