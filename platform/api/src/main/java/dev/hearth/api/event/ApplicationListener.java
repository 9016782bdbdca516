package dev.hearth.api.event;

/**
 * Listener for the events of an application. Each listener is called in order, on a thread of its own.
 * <p>A slow listener gets {@link ApplicationEvent.TasksSummarised} instead of single task events while its queue is
 * full. An exception is logged, and later events follow. A listener that is {@link AutoCloseable} is closed at the
 * end.
 */
@FunctionalInterface
public interface ApplicationListener {
    void on(ApplicationEvent event);

    /**
     * Whether the listener wants single task events; otherwise it gets {@link ApplicationEvent.TasksSummarised}.
     * Called once.
     */
    default boolean hearsTasks() {
        return true;
    }
}
