package dev.hearth.rpc.internal.http;

import dev.hearth.rpc.internal.thread.DaemonThreads;
import dev.hearth.spi.time.Ticker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounded pool of threads that run HTTP handlers. One handler cannot occupy all threads. A call that exceeds its time
 * limit is abandoned: its thread no longer counts, so another thread may start. Requests to a handler with too many
 * abandoned calls are refused until some calls return. Rendering and notifications are never refused. Thread-safe.
 */
final class HandlerPool implements AutoCloseable {
    static final int THREADS_MAX = 8;

    /**
     * Maximum number of threads that the calls of one handler occupy. A handler with this number of abandoned calls,
     * which exceeded their time limit, gets no more requests.
     */
    static final int THREADS_PER_HANDLER_MAX = 6;

    /**
     * Maximum number of abandoned calls of all handlers together. When it is reached, overdue calls are not abandoned
     * but keep their places, so that the number of threads stays bounded.
     */
    static final int ABANDONED_MAX = 32;

    static final int REQUESTS_WAITING_MAX = 256;

    /**
     * Maximum time of one handler call. A call that takes longer is abandoned: its thread no longer counts, so other
     * calls can run.
     */
    static final Duration CALL_MAX = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(HandlerPool.class);
    private static final long IDLE_SECONDS = 30;

    private final Executor threads;
    private final Runnable end;
    private final Ticker ticker;
    private final Deque<Call> requests = new ArrayDeque<>(); // waiting requests
    // waiting follow-up work of accepted requests, such as rendering; it has priority
    private final Deque<Call> followUps = new ArrayDeque<>();
    private final Set<Call> running = new LinkedHashSet<>(); // running calls, oldest first, without abandoned calls
    private final Map<String, Load> loads = new TreeMap<>(); // number of calls by handler, while the handler has any
    private int abandoned;
    private boolean closed;

    /**
     * Creates a pool on {@code threads}, which must start a thread for each call instead of queueing it, because this
     * class bounds their number. {@code end} shuts the threads down.
     */
    HandlerPool(Executor threads, Runnable end, Ticker ticker) {
        this.threads = threads;
        this.end = end;
        this.ticker = ticker;
    }

    /** Creates a pool that starts its threads lazily. */
    static HandlerPool ofThreads(Ticker ticker) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE, // no limit here, because HandlerPool limits the number of threads
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DaemonThreads("hearth-http"));
        return new HandlerPool(threads, threads::shutdown, ticker);
    }

    /**
     * Submits the handling of a request. Refuses the request if too many requests wait, or if its handler has too many
     * abandoned calls.
     */
    void submit(Mount mount, Work handling) throws RequestRefused {
        abandonOverdue();
        Call call = new Call(mount, Kind.REQUEST, handling);
        synchronized (this) {
            if (isHanging(call.handler)) {
                throw hangingRefusal(call);
            }
            if (!mayStart(call) && requests.size() >= REQUESTS_WAITING_MAX) {
                requests.removeIf(waiting -> waiting.work.isOver());
            }
            if (closed || (!mayStart(call) && requests.size() >= REQUESTS_WAITING_MAX)) {
                throw busy();
            }
            requests.add(call);
        }
        startWaiting();
    }

    /**
     * Submits the rendering of an answer that a handler completed asynchronously, after the handler's call had
     * returned.
     */
    void submitRendering(Mount mount, Runnable rendering) {
        submitFollowUp(new Call(mount, Kind.ANSWER, Work.of(rendering)));
    }

    /** Submits a notification to an event source, namely that a client has connected or that its stream has ended. */
    void submitNotification(Mount mount, Runnable notification) {
        submitFollowUp(new Call(mount, Kind.NOTIFICATION, Work.of(notification)));
    }

    /** Abandons the calls that run longer than {@link #CALL_MAX}, and starts waiting calls in their place. */
    void abandonOverdue() {
        List<Call> overdue = new ArrayList<>();
        List<Call> refused = new ArrayList<>();
        synchronized (this) {
            long now = ticker.nanos();
            for (Iterator<Call> oldest = running.iterator(); oldest.hasNext() && abandoned < ABANDONED_MAX; ) {
                Call call = oldest.next();
                if (now - call.begunNanos < CALL_MAX.toNanos()) {
                    break;
                }
                oldest.remove();
                abandon(call);
                overdue.add(call);
            }
            if (!overdue.isEmpty()) {
                removeHanging(refused);
            }
        }
        overdue.forEach(HandlerPool::report);
        refused.forEach(call -> call.work.refused(hangingRefusal(call)));
        if (!overdue.isEmpty()) {
            startWaiting();
        }
    }

    synchronized int waiting() {
        return requests.size();
    }

    /** Number of calls that have exceeded their time limit and not returned yet. */
    synchronized int abandoned() {
        return abandoned;
    }

    /** Closes the pool: refuses new requests, but still runs the waiting requests. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        end.run();
    }

    private void submitFollowUp(Call call) {
        boolean here;
        synchronized (this) {
            here = closed;
            if (!here) {
                followUps.add(call);
            }
        }
        if (here) {
            call.work.run(); // run it on this thread, because the pool's threads have been shut down
        } else {
            startWaiting();
        }
    }

    private void startWaiting() {
        for (Call next = startNext(); next != null; next = startNext()) {
            Call call = next;
            try {
                threads.execute(() -> work(call));
            } catch (RejectedExecutionException ended) {
                LOG.debug("HTTP handler of {}: called while its env closes", call.mount.prefix(), ended);
                complete(call);
                if (call.kind == Kind.REQUEST) {
                    call.work.refused(busy());
                } else {
                    call.work.run();
                }
            }
        }
    }

    /**
     * Main loop of a pool thread: runs {@code first}, then waiting calls, as far as the limits of the pool and of each
     * handler permit. Ends if no waiting call may start, or if the call it ran was abandoned at its time limit.
     */
    private void work(Call first) {
        Call call = first;
        while (call != null) {
            call.thread = Thread.currentThread();
            try {
                call.work.run();
            } catch (RuntimeException | Error failure) { // report the failure, and continue with the next call
                LOG.error("HTTP handler of {}: its call failed", call.mount.prefix(), failure);
            }
            call = complete(call) ? startNext() : null;
        }
    }

    /**
     * Removes a call that has returned from the running calls. Returns false if the call had exceeded its time limit
     * and was abandoned. The pool has then replaced the calling thread, which must end.
     */
    private boolean complete(Call call) {
        boolean counts;
        synchronized (this) {
            Load load = load(call);
            counts = running.remove(call);
            if (counts) {
                load.running--;
            } else {
                load.abandoned--;
                abandoned--;
            }
            if (load.isEmpty()) {
                loads.remove(call.handler);
            }
        }
        if (!counts) {
            LOG.info(
                    "HTTP handler of {}: an abandoned call returned after {} s",
                    call.mount.prefix(),
                    TimeUnit.NANOSECONDS.toSeconds(ticker.nanos() - call.begunNanos));
        }
        return counts;
    }

    /**
     * Takes the oldest waiting call that the limits of the pool and of its handler permit, and marks it as started.
     * Follow-up work, such as rendering, comes before new requests. Returns null if there is no such call.
     */
    private synchronized @Nullable Call startNext() {
        Call next = firstStartable(followUps);
        next = next == null ? firstStartable(requests) : next;
        if (next != null) {
            next.begunNanos = ticker.nanos();
            running.add(next);
            load(next).running++;
        }
        return next;
    }

    private @Nullable Call firstStartable(Deque<Call> waiting) {
        for (Iterator<Call> oldest = waiting.iterator(); oldest.hasNext() && running.size() < THREADS_MAX; ) {
            Call call = oldest.next();
            if (mayStart(call)) {
                oldest.remove();
                return call;
            }
        }
        return null;
    }

    private Load load(Call call) {
        return loads.computeIfAbsent(call.handler, handler -> new Load());
    }

    private boolean mayStart(Call call) {
        Load load = loads.getOrDefault(call.handler, Load.NONE);
        return running.size() < THREADS_MAX
                && (call.kind == Kind.ANSWER || (load.running < THREADS_PER_HANDLER_MAX && !isHanging(call.handler)));
    }

    private boolean isHanging(String handler) {
        int lost = loads.getOrDefault(handler, Load.NONE).abandoned;
        return lost >= THREADS_PER_HANDLER_MAX || (lost > 0 && abandoned >= ABANDONED_MAX);
    }

    private void abandon(Call call) {
        Load load = load(call);
        load.running--;
        load.abandoned++;
        abandoned++;
    }

    /**
     * Removes waiting requests whose handlers have too many abandoned calls (those beyond their time limit), and adds
     * the requests to {@code removed}.
     */
    private void removeHanging(List<Call> removed) {
        requests.removeIf(call -> {
            boolean hanging = isHanging(call.handler);
            if (hanging) {
                removed.add(call);
            }
            return hanging;
        });
    }

    private static RequestRefused busy() {
        return HttpError.BUSY
                .refused("requests: " + REQUESTS_WAITING_MAX + " wait for a thread already (expected: at most that"
                        + " many, with this one); try again soon")
                .with("Retry-After", "1");
    }

    private static RequestRefused hangingRefusal(Call call) {
        return HttpError.BUSY
                .refused("handler of " + call.mount.prefix() + ": too many of its calls have not returned for "
                        + CALL_MAX.toSeconds() + " s (expected: an answer); the handler gets no new calls until"
                        + " some of these have returned")
                .with("Retry-After", Long.toString(CALL_MAX.toSeconds()));
    }

    private static void report(Call call) {
        Thread thread = call.thread;
        StackTraceElement[] stack = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
        LOG.warn(
                "HTTP handler of {}: a call of {} has not returned for {} s (expected: an answer); the call is"
                        + " abandoned, at {}",
                call.mount.prefix(),
                call.mount.owner(),
                CALL_MAX.toSeconds(),
                stack.length == 0 ? "an unknown place" : stack[0]);
    }

    /**
     * Unit of work for a thread of the pool: the handling of a request, the rendering of an answer, or a notification.
     */
    interface Work {
        void run();

        /**
         * Whether the result of this work is no longer needed, for example because the client has disconnected. Such
         * work can be skipped. Thread-safe.
         */
        boolean isOver();

        /**
         * Handles the refusal of this work, which then never runs. {@code why} is the response to the client.
         * Thread-safe.
         */
        void refused(RequestRefused why);

        /**
         * Creates work that follows an accepted request, such as rendering the answer. It only runs {@code action}, and
         * the pool never refuses or skips it.
         */
        static Work of(Runnable action) {
            return new Work() {
                @Override
                public void run() {
                    action.run();
                }

                @Override
                public boolean isOver() {
                    return false;
                }

                @Override
                public void refused(RequestRefused why) {
                    throw new IllegalStateException("follow-up work of a request: refused (expected: never)", why);
                }
            };
        }
    }

    private enum Kind {
        REQUEST,
        ANSWER,
        NOTIFICATION
    }

    /** Unit of work that belongs to one handler, from its arrival in the pool until it has run. */
    private static final class Call {
        private final Mount mount;
        private final String handler;
        private final Kind kind;
        private final Work work;
        private long begunNanos; // guarded by the lock of the pool
        private volatile @Nullable Thread thread;

        Call(Mount mount, Kind kind, Work work) {
            this.mount = mount;
            this.handler = mount.prefix() + " " + mount.order() + " " + mount.owner();
            this.kind = kind;
            this.work = work;
        }
    }

    /**
     * Numbers of one handler's calls: those running, and those abandoned because they exceeded the time limit. Guarded
     * by the lock of the pool.
     */
    private static final class Load {
        private static final Load NONE = new Load();

        private int running;
        private int abandoned;

        boolean isEmpty() {
            return running == 0 && abandoned == 0;
        }
    }
}
