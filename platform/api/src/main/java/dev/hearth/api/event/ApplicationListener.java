package dev.hearth.api.event;

/**
 * Listener for the events of an application. Each listener has its own thread, which calls it with the events in order.
 * <p>A slow listener gets {@link ApplicationEvent.TasksSummarised} instead of single task events while its queue is
 * full. An exception of a listener is logged, and the listener still gets later events. A listener that is
 * {@link AutoCloseable} is closed after its last event.
 */
@FunctionalInterface
public interface ApplicationListener {
    void on(ApplicationEvent event);

    /**
     * Whether the listener wants single task events; otherwise it gets {@link ApplicationEvent.TasksSummarised}. Called
     * when the listener is added, and possibly again later.
     */
    default boolean hearsTasks() {
        return true;
    }
}
