/**
 * Scheduler backends of applications on YARN. A {@link YarnApplication} is what the ResourceManager knows: it owns the
 * allocator and the line, on one event loop. A {@link YarnBackend} connects one context (one driver) to it, on that driver's
 * loop. In client mode there is one context; in cluster mode the contexts of a program share the application.
 *
 * <p>A worked failure: the driver's program ends while a container starts. The backend closes, the allocator releases the
 * container, and the launch that was being built is dropped, as the container no longer starts.
 */
@NullMarked
package dev.hearth.yarn.internal.backend;

import org.jspecify.annotations.NullMarked;
