package dev.hearth.rpc.internal.connect;

import dev.hearth.rpc.internal.thread.DaemonThreads;
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
 * Resolves host names, which blocks, on a few threads that are started lazily. Concurrent requests for one name share
 * the lookup, so that a slow name occupies one thread only. Guarded by its own lock; lives as long as its env; any
 * thread may call.
 */
final class HostLookup implements AutoCloseable {
    /** Maximum number of concurrent lookups. */
    static final int THREADS_MAX = 8;
    /** Maximum number of names that wait for a thread. */
    static final int NAMES_WAITING_MAX = 1_024;
    /** Maximum number of addresses tried per name; further ones are ignored. */
    static final int ADDRESSES_MAX = 16;

    private static final long THREAD_IDLE_SECONDS_MAX = 30;

    private final Resolver resolver;
    private final ThreadPoolExecutor threads = new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            THREAD_IDLE_SECONDS_MAX,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(NAMES_WAITING_MAX),
            new DaemonThreads("hearth-rpc-lookup"));
    private final Map<String, List<LookupCallback>> underWay = new LinkedHashMap<>(); // askers by name; guarded by this

    HostLookup(Resolver resolver) {
        this.resolver = resolver;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Resolves {@code host} and calls {@code asker}, on another thread, or on the calling one if the lookup service is
     * closed or overloaded.
     */
    void find(String host, LookupCallback asker) {
        synchronized (this) {
            List<LookupCallback> others = underWay.get(host);
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
            found = interleave(resolver.addresses(host));
        } catch (UnknownHostException unknown) {
            notFound(host, "unknown host");
            return;
        } catch (RuntimeException failure) { // every failure must reach the askers
            notFound(host, "its name cannot be looked up: " + failure);
            return;
        }
        if (found.isEmpty()) {
            notFound(host, "unknown host");
        } else {
            take(host).forEach(asker -> asker.found(found));
        }
    }

    /** Whether an asker still waits for the name; if not, removes the name. */
    private synchronized boolean isWanted(String host) {
        List<LookupCallback> askers = underWay.getOrDefault(host, List.of());
        if (askers.stream().anyMatch(LookupCallback::waits)) {
            return true;
        }
        underWay.remove(host);
        return false;
    }

    private void notFound(String host, String reason) {
        take(host).forEach(asker -> asker.notFound(reason));
    }

    private synchronized List<LookupCallback> take(String host) {
        List<LookupCallback> askers = underWay.remove(host);
        return askers == null ? List.of() : askers;
    }

    /**
     * Removes duplicates, interleaves IPv6 and IPv4, and truncates the list. If one family is unreachable, its many
     * addresses do not delay the other.
     */
    static List<InetAddress> interleave(List<InetAddress> addresses) {
        // the family of the first address comes first
        Map<Class<?>, Queue<InetAddress>> families = new LinkedHashMap<>();
        for (InetAddress address : new LinkedHashSet<>(addresses)) {
            families.computeIfAbsent(address.getClass(), family -> new ArrayDeque<>())
                    .add(address);
        }
        List<InetAddress> interleaved = new ArrayList<>();
        while (!families.isEmpty() && interleaved.size() < ADDRESSES_MAX) {
            families.values().removeIf(family -> {
                if (interleaved.size() < ADDRESSES_MAX) {
                    interleaved.add(family.remove());
                }
                return family.isEmpty();
            });
        }
        return List.copyOf(interleaved);
    }

    /** Source of addresses. Blocks. Any thread may call. */
    interface Resolver {
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    /** Receives the addresses of a name, or the failure to find them; called at most once. */
    interface LookupCallback {
        /** Whether the result is still wanted. */
        boolean waits();

        /** At least one address, in the order to try them. */
        void found(List<InetAddress> addresses);

        void notFound(String reason);
    }
}
