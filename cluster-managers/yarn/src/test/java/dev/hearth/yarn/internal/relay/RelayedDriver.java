package dev.hearth.yarn.internal.relay;

import dev.hearth.api.HearthException;
import dev.hearth.spi.net.Bytes;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerPlace;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Owner of a line that wants a number of containers, as an allocator does, and counts its events. */
final class RelayedDriver implements LineListener {
    final List<String> events = new ArrayList<>();
    final Set<String> running = new LinkedHashSet<>();
    final Map<String, GrantedContainer> granted = new LinkedHashMap<>();
    private final RelayLine line;
    private final Map<Long, ContainerAsk> asks = new LinkedHashMap<>();
    private long keys;

    RelayedDriver(RelayLine line) {
        this.line = line;
    }

    void want(int containers) {
        List<ContainerAsk> made = new ArrayList<>();
        for (int i = 0; i < containers; i++) {
            ContainerAsk ask = new ContainerAsk(++keys, 1, 1, ScriptedYarn.SIZE, List.of(), ContainerPlace.ANY);
            asks.put(ask.key(), ask);
            made.add(ask);
        }
        line.order(new LineOrders(made, List.of(), List.of(), List.of(), List.of()));
    }

    @Override
    public void registered(LineRegistration registration) {
        events.add("registered " + registration.attempt());
        releaseUnknown(registration);
    }

    private void releaseUnknown(LineRegistration registration) {
        for (GrantedContainer container : registration.previous()) {
            if (!granted.containsKey(container.id())) {
                events.add("unknown " + container.id());
                line.order(new LineOrders(List.of(), List.of(), List.of(container.id()), List.of(), List.of()));
            }
        }
    }

    @Override
    public void replaced(LineRegistration registration) {
        events.add("replaced " + registration.attempt());
        releaseUnknown(registration);
        Set<String> kept = new LinkedHashSet<>();
        registration.previous().forEach(container -> kept.add(container.id()));
        int lost = 0;
        for (String id : List.copyOf(granted.keySet())) {
            if (!kept.contains(id)) {
                granted.remove(id);
                running.remove(id);
                lost++;
            }
        }
        running.addAll(granted.keySet());
        line.order(new LineOrders(List.copyOf(asks.values()), List.of(), List.of(), List.of(), List.of()));
        want(lost);
    }

    @Override
    public void reported(LineReport report) {
        for (GrantedContainer container : report.granted()) {
            if (granted.put(container.id(), container) != null) {
                throw new AssertionError("granted twice: " + container.id());
            }
            asks.remove(asks.keySet().iterator().next());
            line.start(
                    container,
                    new ContainerLaunch(
                            container.id(), List.of("run"), Map.of(), List.of(), Map.of(), Bytes.EMPTY, Map.of()));
        }
    }

    @Override
    public void started(String container) {
        if (!running.add(container)) {
            throw new AssertionError("started twice: " + container);
        }
    }

    @Override
    public void startFailed(String container, String why) {
        events.add("failed " + container + " " + why);
    }

    @Override
    public void interrupted(String why) {
        events.add("interrupted");
    }

    @Override
    public void lost(HearthException why) {
        events.add("lost " + why.getMessage());
    }
}
