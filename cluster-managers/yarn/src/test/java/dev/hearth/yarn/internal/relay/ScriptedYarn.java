package dev.hearth.yarn.internal.relay;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.yarn.internal.line.ContainerAsk;
import dev.hearth.yarn.internal.line.ContainerCapability;
import dev.hearth.yarn.internal.line.ContainerLaunch;
import dev.hearth.yarn.internal.line.ContainerLine;
import dev.hearth.yarn.internal.line.FinalOutcome;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineListener;
import dev.hearth.yarn.internal.line.LineOrders;
import dev.hearth.yarn.internal.line.LineRegistration;
import dev.hearth.yarn.internal.line.LineReport;
import dev.hearth.yarn.internal.line.PreemptionNotice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** YARN with room for every container, which survives its application masters: one granted container per beat and ask. */
final class ScriptedYarn {
    static final ContainerCapability SIZE = new ContainerCapability(1024, 1, Map.of());

    /** Containers whose processes run, with the number of times that they were started. */
    final Map<String, Integer> started = new LinkedHashMap<>();

    final Map<String, GrantedContainer> held = new LinkedHashMap<>();
    final List<String> released = new ArrayList<>();
    Optional<FinalOutcome> outcome = Optional.empty();
    String words = "";
    String url = "";
    private int made;

    /** The line of a new application master on {@code loop}; YARN releases what no process runs in. */
    Line line(EventLoop loop, int attempt) {
        return new Line(loop, attempt);
    }

    /** Line of one application master. */
    final class Line implements ContainerLine {
        private static final Duration BEAT = Duration.ofSeconds(1);
        private final EventLoop loop;
        private final int attempt;
        private final Map<Long, ContainerAsk> asks = new LinkedHashMap<>();
        private Optional<LineListener> listener = Optional.empty();
        boolean closed;

        Line(EventLoop loop, int attempt) {
            this.loop = loop;
            this.attempt = attempt;
        }

        @Override
        public void open(LineListener owner) {
            listener = Optional.of(owner);
            held.keySet().removeIf(id -> !started.containsKey(id));
            loop.schedule(Duration.ofMillis(100), () -> {
                owner.registered(new LineRegistration(SIZE, List.copyOf(held.values()), "default", attempt));
                beat();
            });
        }

        private void beat() {
            if (closed) {
                return;
            }
            List<GrantedContainer> grants = new ArrayList<>();
            for (ContainerAsk ask : List.copyOf(asks.values())) {
                if (grants.size() < 2) {
                    asks.remove(ask.key());
                    String id = "container_" + ++made;
                    GrantedContainer grant = new GrantedContainer(
                            id, "host-" + made % 3, "host:1", "host:2", "", SIZE, ask.priority(), ask.group());
                    held.put(id, grant);
                    grants.add(grant);
                }
            }
            listener.orElseThrow()
                    .reported(new LineReport(grants, List.of(), List.of(), PreemptionNotice.NONE, SIZE, 3));
            loop.schedule(BEAT, this::beat);
        }

        @Override
        public void order(LineOrders orders) {
            orders.asks().forEach(ask -> asks.put(ask.key(), ask));
            orders.cancels().forEach(asks::remove);
            for (String id : orders.releases()) {
                held.remove(id);
                started.remove(id);
                released.add(id);
            }
        }

        @Override
        public void beat(Duration delay) {}

        @Override
        public void start(GrantedContainer container, ContainerLaunch launch) {
            loop.schedule(Duration.ofMillis(30), () -> {
                if (held.containsKey(container.id())) {
                    started.merge(container.id(), 1, Integer::sum);
                    listener.orElseThrow().started(container.id());
                } else {
                    listener.orElseThrow().startFailed(container.id(), "not held");
                }
            });
        }

        @Override
        public void stop(GrantedContainer container) {
            started.remove(container.id());
        }

        @Override
        public void trackingUrl(String address) {
            url = address;
        }

        @Override
        public CompletionStage<Void> finish(FinalOutcome how, String why) {
            closed = true;
            outcome = Optional.of(how);
            words = why;
            held.clear();
            started.clear();
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public void abandon() {
            closed = true;
        }
    }
}
