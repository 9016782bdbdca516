package dev.hearth.engine.internal.protocol;

import dev.hearth.spi.id.ExecutorId;
import dev.hearth.spi.rpc.Bytes;
import dev.hearth.spi.rpc.Protocol;
import java.lang.invoke.MethodHandles;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What an executor tells its driver, and the driver's answers. Executors connect; the driver listens. */
public final class DriverProtocol {
    public static final Protocol PROTOCOL = Protocol.named("driver", MethodHandles.lookup())
            .message(1, Register.class)
            .message(2, Registration.class)
            .message(3, Updates.class)
            .message(4, Heartbeat.class)
            .build();

    private DriverProtocol() {}

    /** Asks to be given tasks. A second one over the same connection changes nothing. */
    public record Register(ExecutorId executor, String host, int cores) {}

    /** The answer: empty {@code refusal}, then what the executor needs; or why it is refused, and it ends. */
    public record Registration(
            String refusal,
            String application,
            List<String> jars,
            Map<String, String> settings,
            long heartbeatMillis) {}

    /** How tasks ended, gathered since the last message. */
    public record Updates(ExecutorId executor, List<TaskUpdate> updates) {}

    public record Heartbeat(ExecutorId executor) {}

    /** How one task ended: with a value, or with what the user's code threw. */
    public record TaskUpdate(long task, Outcome outcome, Bytes value, TaskFailure failure) {
        public static TaskUpdate succeeded(long task, Bytes value) {
            return new TaskUpdate(task, Outcome.SUCCEEDED, value, TaskFailure.NONE);
        }

        public static TaskUpdate failed(long task, TaskFailure failure) {
            return new TaskUpdate(task, Outcome.FAILED, Bytes.EMPTY, failure);
        }
    }

    /** Constants are only added at the end; one that the driver does not know counts as a failure. */
    public enum Outcome {
        FAILED,
        SUCCEEDED
    }

    /** An exception as text and frames: its class may be one that the driver cannot load. */
    public record TaskFailure(String text, List<Frame> frames) {
        public static final TaskFailure NONE = new TaskFailure("", List.of());
        private static final int FRAMES_MAX = 50;
        private static final int TEXT_CHARS_MAX = 10_000;

        public static TaskFailure of(Throwable thrown) {
            String text = String.valueOf(thrown);
            for (Throwable cause = thrown.getCause();
                    cause != null && text.length() < TEXT_CHARS_MAX;
                    cause = cause.getCause()) {
                text += "; caused by " + cause;
            }
            List<Frame> frames = Arrays.stream(thrown.getStackTrace())
                    .limit(FRAMES_MAX)
                    .map(Frame::of)
                    .toList();
            return new TaskFailure(text.substring(0, Math.min(text.length(), TEXT_CHARS_MAX)), frames);
        }
    }

    /** One line of a stack trace. */
    public record Frame(String type, String method, String file, int line) {
        static Frame of(StackTraceElement element) {
            String file = element.getFileName();
            return new Frame(
                    element.getClassName(), element.getMethodName(), file == null ? "" : file, element.getLineNumber());
        }

        public StackTraceElement element() {
            return new StackTraceElement(type, method, file.isEmpty() ? null : file, line);
        }
    }
}
