package dev.hearth.shell.gogo.command;

import dev.hearth.spi.monitor.RunningApplication;
import dev.hearth.spi.monitor.RunningApplications;
import java.util.List;
import java.util.Optional;

/** How commands name the applications of this process. No state. */
final class Applications {
    private Applications() {}

    static RunningApplication named(Call call, RunningApplications applications, String id) {
        List<RunningApplication> running = applications.running();
        return find(running, id)
                .orElseThrow(() -> call.misused("application '" + id + "' (expected: one of "
                        + running.stream().map(RunningApplication::id).toList() + ")"));
    }

    static Optional<RunningApplication> find(List<RunningApplication> running, String id) {
        return running.stream().filter(each -> each.id().equals(id)).findFirst();
    }
}
