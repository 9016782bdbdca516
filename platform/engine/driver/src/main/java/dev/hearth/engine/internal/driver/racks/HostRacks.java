package dev.hearth.engine.internal.driver.racks;

import dev.hearth.spi.cluster.RackResolver;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.error.PrintableText;
import dev.hearth.spi.loop.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The racks of hosts, as far as they are known. A look-up never waits: it asks the resolver in the background about a
 * host that it does not know, and answers that the rack is unknown until then. Owned by the driver's event loop.
 * <p>A host is UNKNOWN until it is looked up, then ASKED, then KNOWN, with or without a rack. It is FAILED if the
 * resolver fails, and is asked again at a look-up after {@link #RETRY}. The word of the cluster manager makes it KNOWN
 * from any state. Invariant: one question at a time, and each host is in one question at most.
 */
public final class HostRacks implements Function<String, Optional<String>> {
    static final int HOSTS_MAX = 50_000;
    static final int QUESTION_HOSTS_MAX = 1_000;
    /** Time after a failure of the resolver until it is asked about the same host again. */
    static final Duration RETRY = Duration.ofMinutes(1);

    private static final Logger LOG = LoggerFactory.getLogger(HostRacks.class);
    /** Rack that scripts for Hadoop give to hosts whose rack they do not know. */
    private static final String DEFAULT_RACK = "/default-rack";

    private final EventLoop loop;
    private final Executor threads;
    private final Supplier<Optional<RackResolver>> resolver;
    private final Consumer<Collection<String>> found;
    private final Map<String, Optional<String>> known = new LinkedHashMap<>();
    private final Map<String, Long> failed = new LinkedHashMap<>(); // hosts with the times of the failures
    private final Set<String> asked = new LinkedHashSet<>(); // hosts whose answer is missing
    private final Set<String> unsent = new LinkedHashSet<>(); // those of them that are in no question yet
    private boolean questionScheduled;
    private boolean questionOpen;
    private boolean warned;

    /**
     * {@code threads} runs the resolver. {@code found} receives hosts when their racks have become known after a
     * look-up.
     */
    public HostRacks(
            EventLoop loop,
            Executor threads,
            Supplier<Optional<RackResolver>> resolver,
            Consumer<Collection<String>> found) {
        this.loop = loop;
        this.threads = threads;
        this.resolver = resolver;
        this.found = found;
    }

    /** The rack of {@code host}; empty if it has none, or if it is not known yet. */
    @Override
    public Optional<String> apply(String host) {
        Optional<String> rack = known.get(host);
        if (rack == null) {
            rack = Optional.empty();
            if (resolver.get().isPresent()) {
                ask(host);
            }
        }
        return rack;
    }

    /** Records the rack of a host as the cluster manager knows it. It replaces an answer of the resolver. */
    public void known(String host, String rack) {
        if (known.size() < HOSTS_MAX || known.containsKey(host)) {
            Optional<String> before = known.put(host, named(rack));
            asked.remove(host);
            unsent.remove(host);
            failed.remove(host);
            if (!named(rack).equals(before)) {
                found.accept(List.of(host));
            }
        }
    }

    private void ask(String host) {
        Long failedNanos = failed.get(host);
        boolean pausing = failedNanos != null && loop.ticker().nanos() - failedNanos < RETRY.toNanos();
        if (pausing || known.size() + failed.size() + asked.size() >= HOSTS_MAX || !asked.add(host)) {
            return;
        }
        failed.remove(host);
        unsent.add(host);
        if (!questionScheduled && !questionOpen) {
            questionScheduled = true;
            loop.execute(this::question); // later, so that one question names all hosts of a stage
        }
    }

    private void question() {
        questionScheduled = false;
        Optional<RackResolver> source = resolver.get();
        if (source.isEmpty()) { // its bundle was removed
            asked.removeAll(unsent);
            unsent.clear();
        }
        if (unsent.isEmpty()) {
            return;
        }
        List<String> hosts = unsent.stream().limit(QUESTION_HOSTS_MAX).toList();
        hosts.forEach(unsent::remove);
        questionOpen = true;
        threads.execute(() -> {
            try {
                Map<String, String> racks = source.orElseThrow().racks(hosts);
                loop.execute(() -> answered(hosts, racks, null));
            } catch (Throwable failure) { // catches Errors too, because a bundle may lack a class
                if (failure instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                loop.execute(() -> answered(hosts, Map.of(), failure));
            }
        });
    }

    private void answered(List<String> hosts, @Nullable Map<String, String> racks, @Nullable Throwable failure) {
        questionOpen = false;
        List<String> withRack = new ArrayList<>();
        for (String host : hosts) {
            if (!asked.remove(host)) {
                continue; // the cluster manager has named the rack meanwhile
            }
            if (failure != null || racks == null) {
                failed.put(host, loop.ticker().nanos());
            } else {
                Optional<String> rack = named(racks.get(host));
                known.put(host, rack);
                rack.ifPresent(name -> withRack.add(host));
            }
        }
        if (failure != null || racks == null) {
            warn(hosts, failure == null ? "no answer" : Failures.describe(failure));
        }
        if (!withRack.isEmpty()) {
            found.accept(withRack);
        }
        question();
    }

    private void warn(List<String> hosts, String why) {
        String names =
                String.join(", ", hosts.subList(0, Math.min(3, hosts.size()))) + (hosts.size() > 3 ? ", ..." : "");
        String text = PrintableText.line("racks of " + hosts.size() + " hosts (" + names + "): " + why);
        if (warned) {
            LOG.debug("{}", text);
        } else {
            warned = true;
            LOG.warn(
                    "{}; tasks are placed as if these hosts had no racks, and later failures are logged at level DEBUG",
                    text);
        }
    }

    private static Optional<String> named(@Nullable String rack) {
        return Optional.ofNullable(rack)
                .map(String::strip)
                .filter(name -> !name.isEmpty() && !name.equals(DEFAULT_RACK));
    }
}
