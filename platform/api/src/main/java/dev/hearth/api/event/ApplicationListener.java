package dev.hearth.api.event;

/**
 * Hears what happens in an application. Each listener is called by one thread of its own, in order.
 * <p>One that blocks or is slow gets {@link ApplicationEvent.TasksSummarised} in place of single tasks once its queue is
 * full; one that throws is told on, and the failure is logged. One that is {@link AutoCloseable} is closed at the end.
 */
@FunctionalInterface
public interface ApplicationListener {
    void on(ApplicationEvent event);

    /** Whether single tasks are wanted, asked once; else {@link ApplicationEvent.TasksSummarised} stands for all of them. */
    default boolean hearsTasks() {
        return true;
    }
}
