package dev.hearth.standalone.internal.protocol;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.standalone.internal.protocol.MasterProtocol.WantExecutors;
import java.util.List;
import java.util.Optional;

/**
 * One application, as it registers with a master: its random {@code id}, by which a repeated registration is known, and
 * the last master that it has registered with. If it has registered before, {@code resumes} is the id that it got, {@code
 * holds} are its executors, and {@code wants} is its last wish. An empty id is that of an older driver, whose application
 * ends when it loses its master.
 */
public record ApplicationSession(
        String id,
        MasterTerm served,
        Optional<ApplicationId> resumes,
        List<HeldExecutor> holds,
        Optional<WantExecutors> wants) {
    public static final ApplicationSession NONE =
            new ApplicationSession("", MasterTerm.NONE, Optional.empty(), List.of(), Optional.empty());

    /** Whether the application outlives the connection to the master. */
    public boolean isResumable() {
        return !id.isEmpty();
    }

    /** An executor that was granted to the application and has not ended as far as it knows. */
    public record HeldExecutor(ExecutorId executor, String worker, int cores, int profile) {}
}
