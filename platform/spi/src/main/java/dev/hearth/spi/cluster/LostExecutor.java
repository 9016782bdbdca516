package dev.hearth.spi.cluster;

import java.util.List;
import java.util.OptionalInt;

/** Why an executor is gone. {@code byOrder}: it was released or stopped, so its tasks are not to blame. */
public record LostExecutor(String reason, boolean byOrder, OptionalInt exitStatus, List<String> logs) {
    public LostExecutor {
        logs = List.copyOf(logs);
    }

    public static LostExecutor because(String reason) {
        return new LostExecutor(reason, false, OptionalInt.empty(), List.of());
    }

    @Override
    public String toString() {
        String status = exitStatus.isPresent() ? ", exit status " + exitStatus.getAsInt() : "";
        return reason + status + (logs.isEmpty() ? "" : "; see " + String.join(", ", logs));
    }
}
