package dev.hearth.status.progress;

import dev.hearth.spi.monitor.ApplicationStatus;
import dev.hearth.spi.monitor.ExecutorView;
import dev.hearth.spi.monitor.ExecutorsAsked;
import java.util.List;
import java.util.Optional;

/**
 * Executors of an application at one moment: how many are registered, how many tasks they run at a time, how many were
 * asked for, and why the cluster starts no more.
 */
record ExecutorSupply(int registered, int slots, Optional<ExecutorsAsked> asked, String hindrance) {
    static ExecutorSupply of(ApplicationStatus status) {
        List<ExecutorView> live = status.executors().stream()
                .filter(executor -> executor.removedMillis().isEmpty())
                .toList();
        return new ExecutorSupply(
                live.size(),
                live.stream().mapToInt(ExecutorView::maxTasks).sum(),
                status.asked(),
                status.application().hindrance());
    }
}
