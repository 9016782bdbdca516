package dev.hearth.spi.role;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * Source from which a process reads its launch orders when no parent process writes them: a file, or whatever a cluster
 * manager gives to the processes that it starts.
 * <p>The kernel implements it for files. A bundle of the role registers its own as a service; the process selects it by
 * {@code -Dhearth.orders=service} or {@code -Dhearth.orders=service:NAME}.
 */
@ConsumerType
public interface OrdersSource {
    /** Service property: the name by which {@code service:NAME} selects this source. */
    String NAME = "hearth.orders-source.name";

    /**
     * Reads the launch orders of this process, which runs the role {@code role}. Called once, before the role runs, on
     * a thread of its own. It may block; the kernel interrupts it when the process is asked to end, and gives up after
     * a bound. Any exception ends the process with its message.
     */
    LaunchOrders read(String role) throws Exception;
}
