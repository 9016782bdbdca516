package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.id.ExecutorId;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Containers that start, run or leave, by id, executor and host, and the counts of their pools. Remembers the ids of the last
 * {@link #GONE_MAX} containers that are gone, so that none is used twice. Owned by {@link Allocator}.
 */
final class ContainerTable {
    static final int GONE_MAX = 10_000;

    private final Map<String, HeldContainer> byId = new LinkedHashMap<>();
    private final Map<ExecutorId, HeldContainer> byExecutor = new LinkedHashMap<>();
    private final Map<String, Set<HeldContainer>> byHost = new LinkedHashMap<>();
    private final Set<String> gone = new LinkedHashSet<>();
    private final Set<String> strangers = new LinkedHashSet<>(); // of gone: ended before any grant was known

    @Nullable
    HeldContainer find(String container) {
        return byId.get(container);
    }

    @Nullable
    HeldContainer find(ExecutorId executor) {
        return byExecutor.get(executor);
    }

    Set<HeldContainer> on(String host) {
        return byHost.getOrDefault(host, Set.of());
    }

    Collection<HeldContainer> all() {
        return Collections.unmodifiableCollection(byId.values());
    }

    boolean isGone(String container) {
        return gone.contains(container);
    }

    void add(HeldContainer container) {
        byId.put(container.granted.id(), container);
        byExecutor.put(container.executor, container);
        byHost.computeIfAbsent(container.granted.host(), host -> new LinkedHashSet<>(4))
                .add(container);
        container.pool.starting++;
        container.pool.heldOn(container.granted.host(), 1);
    }

    void move(HeldContainer container, ContainerState next) {
        if (!container.state.leadsTo(next)) {
            throw new IllegalStateException(container + ": to " + next + " (expected: a legal change of state)");
        }
        ContainerPool pool = container.pool;
        pool.starting -= container.state == ContainerState.STARTING ? 1 : 0;
        pool.up -= container.state == ContainerState.UP ? 1 : 0;
        pool.up += next == ContainerState.UP ? 1 : 0;
        if (container.state.isHeld() && !next.isHeld()) {
            pool.heldOn(container.granted.host(), -1);
        }
        container.state = next;
        if (next == ContainerState.RELEASED || next == ContainerState.ENDED) {
            remove(container);
        }
    }

    /** Remembers a container that is gone and was never held, such as a surplus grant. */
    void forget(String container) {
        gone.add(container);
        if (gone.size() > GONE_MAX) {
            String eldest = gone.iterator().next();
            gone.remove(eldest);
            strangers.remove(eldest);
        }
    }

    /** Remembers a container whose end was reported and that is not held, so that a late grant is not started. */
    void forgetEnded(String container) {
        if (!gone.contains(container)) {
            forget(container);
            strangers.add(container);
        }
    }

    /** Whether the end of this container was reported before any grant; such a grant comes once. */
    boolean forgetStranger(String container) {
        return strangers.remove(container);
    }

    List<HeldContainer> of(ContainerPool pool) {
        return byId.values().stream().filter(held -> held.pool == pool).toList();
    }

    private void remove(HeldContainer container) {
        byId.remove(container.granted.id());
        byExecutor.remove(container.executor);
        Set<HeldContainer> sameHost = byHost.get(container.granted.host());
        if (sameHost != null) {
            sameHost.remove(container);
            if (sameHost.isEmpty()) {
                byHost.remove(container.granted.host());
            }
        }
        forget(container.granted.id());
    }
}
