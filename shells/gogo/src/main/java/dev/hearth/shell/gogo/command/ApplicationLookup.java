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
        List<RunningApplication> running = applications == null ? List.of() : applications.running();
        if (running.isEmpty()) {
            throw call.noApplication();
        }
        return running;
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
}
