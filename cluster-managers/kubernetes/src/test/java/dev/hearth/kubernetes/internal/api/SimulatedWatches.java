package dev.hearth.kubernetes.internal.api;

import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Versions of a {@link SimulatedApiServer}, and the watches of its clients: events arrive late and in order, a version that
 * is too old ends a watch. Owned by the server.
 */
final class SimulatedWatches {
    private static final int HISTORY_MAX = 2_000;

    private final SimulatedApiServer server;
    private final Simulation simulation;
    private final List<Event> history = new ArrayList<>();
    private final Set<Stream> streams = new LinkedHashSet<>();
    private final LabelSelectors selectors;
    private long version = 1;
    private long oldest = 1; // versions before it are compacted

    SimulatedWatches(SimulatedApiServer server, Simulation simulation, LabelSelectors selectors) {
        this.server = server;
        this.simulation = simulation;
        this.selectors = selectors;
    }

    private record Event(long version, boolean deleted, Resource resource, ObjectFacts facts) {}

    /** Watch of one client. */
    private final class Stream implements ApiServer.Watch {
        private final Resource resource;
        private final String selector;
        private final ApiServer.WatchListener listener;
        private boolean open = true;
        private Duration lastDue = Duration.ZERO;

        Stream(Resource resource, String selector, ApiServer.WatchListener listener) {
            this.resource = resource;
            this.selector = selector;
            this.listener = listener;
        }

        void deliver(Event event) {
            if (event.resource() == resource
                    && selectors.matches(selector, event.facts().labels())) {
                later(() -> {
                    if (event.deleted()) {
                        listener.deleted(event.facts());
                    } else {
                        listener.changed(event.facts());
                    }
                });
            }
        }

        void later(Runnable action) {
            Duration due = simulation.elapsed().plus(server.random(server.delay));
            lastDue = due.compareTo(lastDue) > 0 ? due : lastDue; // in order
            simulation.schedule(lastDue.minus(simulation.elapsed()), () -> {
                if (open) {
                    action.run();
                }
            });
        }

        void end(Answer why) {
            later(() -> {
                open = false;
                streams.remove(this);
                listener.ended(why);
            });
        }

        @Override
        public void stop() {
            open = false;
            streams.remove(this);
        }
    }

    long version() {
        return version;
    }

    ApiServer.Watch watch(Resource resource, String selector, String from, ApiServer.WatchListener listener) {
        Stream stream = new Stream(resource, selector, listener);
        long since = Long.parseLong(from);
        if (server.away) {
            stream.end(new Answer.Unknown("connection refused"));
        } else if (since < oldest) {
            stream.end(new Answer.Refused(RefusalKind.GONE, "too old resource version"));
        } else {
            streams.add(stream);
            history.stream().filter(event -> event.version() > since).forEach(stream::deliver);
            simulation.schedule(Duration.ofSeconds(270), () -> {
                if (stream.open) {
                    stream.end(new Answer.Done(Optional.empty()));
                }
            });
            bookmark(stream);
        }
        return stream;
    }

    /** Gives {@code stored} a new version, and sends it to the clients. */
    void publish(StoredObject stored, boolean deleted) {
        version++;
        stored.version = String.valueOf(version);
        Event event = new Event(version, deleted, stored.object.resource(), stored.facts());
        history.add(event);
        if (history.size() > HISTORY_MAX) {
            oldest = history.remove(0).version();
        }
        streams.forEach(stream -> stream.deliver(event));
    }

    void compact() {
        history.clear();
        oldest = version;
    }

    void endAll(Answer why) {
        List.copyOf(streams).forEach(stream -> stream.end(why));
    }

    private void bookmark(Stream stream) {
        simulation.schedule(Duration.ofSeconds(60), () -> {
            if (stream.open) {
                if (!server.away) {
                    String latest = String.valueOf(version);
                    stream.later(() -> stream.listener.bookmark(latest));
                }
                bookmark(stream);
            }
        });
    }
}
