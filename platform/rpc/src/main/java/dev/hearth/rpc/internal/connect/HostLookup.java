package dev.hearth.rpc.internal.connect;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks up the addresses of host names, which blocks: on a few threads, started when they are needed. Whoever asks for a name
 * that is being looked up shares the answer, so that a slow name takes one thread and no more. Its lock is itself; lives as
 * long as its env; any thread may call.
 */
final class HostLookup implements AutoCloseable {
    /** Names that are looked up at once. */
    static final int THREADS_MAX = 8;
    /** Names that wait for one of these threads. */
    static final int NAMES_WAITING_MAX = 1_024;
    /** Addresses of one name that are tried; further ones are left out. */
    static final int ADDRESSES_MAX = 16;

    private static final long THREAD_IDLE_SECONDS_MAX = 30;

    private final Resolver resolver;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            THREAD_IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(NAMES_WAITING_MAX),
            new DefaultThreadFactory("hearth-rpc-lookup", true));
    private final Map<String, List<Asker>> underWay = new LinkedHashMap<>(); // by name; guarded by this

    HostLookup(Resolver resolver) {
        this.resolver = resolver;
        threads.allowCoreThreadTimeOut(true);
    }

    /** Tells {@code asker} the addresses of {@code host}, or that there are none; on another thread, or here when it is closed. */
    void find(String host, Asker asker) {
        synchronized (this) {
            List<Asker> others = underWay.get(host);
            if (others != null) {
                others.add(asker);
                return;
            }
            underWay.put(host, new ArrayList<>(List.of(asker)));
        }
        try {
            threads.execute(() -> look(host));
        } catch (RejectedExecutionException refused) {
            notFound(
                    host,
                    threads.isShutdown()
                            ? Connector.CLOSED_HERE
                            : NAMES_WAITING_MAX + " names wait to be looked up already, is the name service slow?");
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }

    private void look(String host) {
        if (!isWanted(host)) {
            return;
        }
        List<InetAddress> found;
        try {
            found = inTurns(resolver.addresses(host));
        } catch (UnknownHostException unknown) {
            notFound(host, "unknown host");
            return;
        } catch (RuntimeException failure) { // whoever asked must hear of it, whatever it is
            notFound(host, "its name cannot be looked up: " + failure);
            return;
        }
        if (found.isEmpty()) {
            notFound(host, "unknown host");
        } else {
            take(host).forEach(asker -> asker.found(found));
        }
    }

    /** Whether anybody still waits for the name; else it is forgotten. */
    private synchronized boolean isWanted(String host) {
        List<Asker> askers = underWay.getOrDefault(host, List.of());
        if (askers.stream().anyMatch(Asker::waits)) {
            return true;
        }
        underWay.remove(host);
        return false;
    }

    private void notFound(String host, String reason) {
        take(host).forEach(asker -> asker.notFound(reason));
    }

    private synchronized List<Asker> take(String host) {
        List<Asker> askers = underWay.remove(host);
        return askers == null ? List.of() : askers;
    }

    /**
     * The addresses as they came, once each and no more than are tried, but IPv6 and IPv4 in turns: where a whole family
     * leads nowhere, its many addresses do not hold up the other.
     */
    static List<InetAddress> inTurns(List<InetAddress> addresses) {
        Map<Class<?>, Queue<InetAddress>> families = new LinkedHashMap<>(); // that of the first address comes first
        for (InetAddress address : new LinkedHashSet<>(addresses)) {
            families.computeIfAbsent(address.getClass(), family -> new ArrayDeque<>())
                    .add(address);
        }
        List<InetAddress> turns = new ArrayList<>();
        while (!families.isEmpty() && turns.size() < ADDRESSES_MAX) {
            families.values().removeIf(family -> {
                if (turns.size() < ADDRESSES_MAX) {
                    turns.add(family.remove());
                }
                return family.isEmpty();
            });
        }
        return List.copyOf(turns);
    }

    /** Who knows the addresses of names; blocks while it asks. Any thread may call. */
    interface Resolver {
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    /** Whoever waits for the addresses of a name; told once at most. */
    interface Asker {
        /** Whether it still wants to know. */
        boolean waits();

        /** One address or more, in the order they are to be tried. */
        void found(List<InetAddress> addresses);

        void notFound(String reason);
    }
}
