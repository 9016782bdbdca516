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
 * Resolves host names on a few threads of its own, because lookups block. Concurrent requests for the same name share
 * one lookup, so that a slow name occupies only one thread. Threads start lazily. Thread-safe; guarded by its own lock.
 */
final class HostLookup implements AutoCloseable {
    /** Maximum number of concurrent lookups. */
    static final int THREADS_MAX = 8;
    /** Maximum number of host names that wait for a lookup thread. A lookup of one more name fails at once. */
    static final int NAMES_WAITING_MAX = 1_024;
    /** Maximum number of addresses tried per host name. A lookup that finds more ignores the rest. */
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
    // callbacks that wait, by host name; guarded by this
    private final Map<String, List<LookupCallback>> underWay = new LinkedHashMap<>();

    HostLookup(Resolver resolver) {
        this.resolver = resolver;
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Resolves {@code host} and passes the result to {@code asker}, on another thread. If this object is closed or
     * overloaded, the calling thread reports the failure.
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
                            : NAMES_WAITING_MAX + " host names wait to be looked up already; is the name service"
                                    + " slow?");
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
        } catch (RuntimeException failure) { // catch everything, because every failure must reach the waiting callbacks
            notFound(host, "the host name cannot be looked up: " + failure);
            return;
        }
        if (found.isEmpty()) {
            notFound(host, "unknown host");
        } else {
            take(host).forEach(asker -> asker.found(found));
        }
    }

    /**
     * Whether a caller still waits for the addresses of {@code host}. If none does, removes the name, so that it is not
     * looked up.
     */
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
     * Removes duplicates, interleaves IPv6 and IPv4 addresses, and truncates the list. Interleaving helps if one
     * address family is unreachable: its addresses then do not delay the other family.
     */
    static List<InetAddress> interleave(List<InetAddress> addresses) {
        // start with the address family (IPv4 or IPv6) of the first address
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

    /** Source of the addresses of a host name. Its method blocks. Thread-safe. */
    interface Resolver {
        List<InetAddress> addresses(String host) throws UnknownHostException;
    }

    /**
     * Callback for the addresses of a host name, or for the failure to find them. At most one of {@link #found} and
     * {@link #notFound} is called, once.
     */
    interface LookupCallback {
        /**
         * Whether the caller of the lookup still wants the addresses. If no caller of a name does, the name is not
         * looked up.
         */
        boolean waits();

        /** Receives at least one address, in the order in which to try them. */
        void found(List<InetAddress> addresses);

        void notFound(String reason);
    }
}
