package dev.hearth.engine.internal.driver.session;

import dev.hearth.api.HearthContext;
import dev.hearth.api.event.ApplicationEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The jobs that a context has started, from its events, which are a little late. For one thread of a test. */
final class StartedJobs {
    private final HearthContext context;
    private final BlockingQueue<ApplicationEvent> events = new LinkedBlockingQueue<>();

    StartedJobs(HearthContext context) {
        this.context = context;
        context.addListener(events::add);
    }

    /** The jobs since the last call. A further job marks their end. */
    List<ApplicationEvent.JobStarted> soFar() throws InterruptedException {
        int last = context.parallelize(List.of(1), 1).countAsync().jobs().get(0);
        List<ApplicationEvent.JobStarted> found = new ArrayList<>();
        while (true) {
            if (events.take() instanceof ApplicationEvent.JobStarted started) {
                if (started.job() == last) {
                    return found;
                }
                found.add(started);
            }
        }
    }
}
