package dev.hearth.shell.gogo.command;

import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds applications of this process by id. Stateless. */
final class ApplicationLookup {
    private ApplicationLookup() {}

    /** Returns the running applications; fails if no application is running. */
    static List<RunningApplication> running(CommandCall call, @Nullable RunningApplications applications) {
        List<RunningApplication> running = present(applications);
        if (running.isEmpty()) {
            throw call.noApplication();
        }
        return running;
    }

    /** Returns the running applications; empty if this process has none. */
    static List<RunningApplication> present(@Nullable RunningApplications applications) {
        return applications == null ? List.of() : applications.running();
    }

    static RunningApplication named(CommandCall call, @Nullable RunningApplications applications, String id) {
        List<RunningApplication> running = running(call, applications);
        return find(running, id)
                .orElseThrow(() -> call.misused("application '" + id + "' (expected: one of "
                        + running.stream().map(RunningApplication::id).toList() + ")"));
    }

    static Optional<RunningApplication> find(List<RunningApplication> running, String id) {
        return running.stream().filter(each -> each.id().equals(id)).findFirst();
    }

    /** Returns the running application if there is one; fails if there are several. */
    static RunningApplication only(CommandCall call, List<RunningApplication> running) {
        if (running.size() != 1) {
            throw call.misused(running.size() + " applications run in this process (expected: one, or the id of one"
                    + " of these before the target): "
                    + running.stream().map(RunningApplication::id).toList());
        }
        return running.get(0);
    }
}
