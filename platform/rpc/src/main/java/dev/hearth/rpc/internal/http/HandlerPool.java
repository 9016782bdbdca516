package dev.hearth.rpc.internal.http;

import dev.hearth.spi.time.Ticker;
import io.netty.util.concurrent.DefaultThreadFactory;
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
 * The threads that handlers run on: few, never all of them for one handler, gone when idle. A call that does not come back
 * in time is abandoned: another thread takes its place. A handler with too many abandoned calls is refused by name until
 * some come back. What follows from a request that was taken is not turned away. Guarded by itself; any thread may call.
 */
final class HandlerPool implements AutoCloseable {
    static final int THREADS_MAX = 8;

    /** Threads that the calls of one handler may hold at once, and its abandoned ones from which on it is refused. */
    static final int THREADS_PER_HANDLER_MAX = 6;

    /** Abandoned calls of all handlers; beyond, those that still run hold their threads. */
    static final int ABANDONED_MAX = 32;

    static final int REQUESTS_WAITING_MAX = 256;

    /** How long a call may take before it is abandoned. */
    static final Duration CALL_MAX = Duration.ofSeconds(60);

    private static final Logger LOG = LoggerFactory.getLogger(HandlerPool.class);
    private static final long IDLE_SECONDS = 30;

    private final Executor threads;
    private final Runnable end;
    private final Ticker ticker;
    private final Deque<Call> requests = new ArrayDeque<>(); // that wait
    private final Deque<Call> following = new ArrayDeque<>(); // that wait too, and go before
    private final Set<Call> running = new LinkedHashSet<>(); // the oldest first, without the abandoned
    private final Map<String, Load> loads = new TreeMap<>(); // of handlers that have calls here
    private int abandoned;
    private boolean closed;

    /** Runs on {@code threads}, which must have as many as are asked for; {@code end} ends them. */
    HandlerPool(Executor threads, Runnable end, Ticker ticker) {
        this.threads = threads;
        this.end = end;
        this.ticker = ticker;
    }

    /** Starts with no thread at all. */
    static HandlerPool ofThreads(Ticker ticker) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE, // the pool asks for no more than its bounds
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                new DefaultThreadFactory("hearth-http", true));
        return new HandlerPool(threads, threads::shutdown, ticker);
    }

    /** Runs the handling of a request; refuses it when too many wait, or when its handler hangs. */
    void offer(Mount mount, Work handling) throws RequestRefused {
        look();
        Call call = new Call(mount, Kind.REQUEST, handling);
        synchronized (this) {
            if (hangs(call.handler)) {
                throw hanging(call);
            }
            if (!mayBegin(call) && requests.size() >= REQUESTS_WAITING_MAX) {
                requests.removeIf(waiting -> waiting.work.isOver());
            }
            if (closed || (!mayBegin(call) && requests.size() >= REQUESTS_WAITING_MAX)) {
                throw busy();
            }
            requests.add(call);
        }
        beginThoseThatMay();
    }

    /** Runs what becomes of an answer that came later. */
    void finish(Mount mount, Runnable rendering) {
        follow(new Call(mount, Kind.ANSWER, Work.of(rendering)));
    }

    /** Tells a source of events of a page that listens, or does so no more. */
    void listen(Mount mount, Runnable telling) {
        follow(new Call(mount, Kind.LISTENING, Work.of(telling)));
    }

    /** Abandons calls that should have come back by now, and begins what waited for their threads. */
    void look() {
        List<Call> late = new ArrayList<>();
        List<Call> vain = new ArrayList<>();
        synchronized (this) {
            long now = ticker.nanos();
            for (Iterator<Call> oldest = running.iterator(); oldest.hasNext() && abandoned < ABANDONED_MAX; ) {
                Call call = oldest.next();
                if (now - call.begunNanos < CALL_MAX.toNanos()) {
                    break;
                }
                oldest.remove();
                abandon(call);
                late.add(call);
            }
            if (!late.isEmpty()) {
                takeHanging(vain);
            }
        }
        late.forEach(HandlerPool::report);
        vain.forEach(call -> call.work.refused(hanging(call)));
        if (!late.isEmpty()) {
            beginThoseThatMay();
        }
    }

    synchronized int waiting() {
        return requests.size();
    }

    /** Calls that have not come back in time, and not since. */
    synchronized int abandoned() {
        return abandoned;
    }

    /** Takes no more requests; those that wait still run. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
        }
        end.run();
    }

    private void follow(Call call) {
        boolean here;
        synchronized (this) {
            here = closed;
            if (!here) {
                following.add(call);
            }
        }
        if (here) {
            call.work.run(); // there are no threads any more
        } else {
            beginThoseThatMay();
        }
    }

    private void beginThoseThatMay() {
        for (Call next = begin(); next != null; next = begin()) {
            Call call = next;
            try {
                threads.execute(() -> work(call));
            } catch (RejectedExecutionException ended) {
                LOG.debug("HTTP handler of {}: called as its env closes", call.mount.prefix(), ended);
                leave(call);
                if (call.kind == Kind.REQUEST) {
                    call.work.refused(busy());
                } else {
                    call.work.run();
                }
            }
        }
    }

    /** On a thread of the pool: a call, and then what may begin in its place. */
    private void work(Call first) {
        Call call = first;
        while (call != null) {
            call.thread = Thread.currentThread();
            try {
                call.work.run();
            } catch (RuntimeException | Error failure) { // the next call has nothing to do with it
                LOG.error("HTTP handler of {}: its call failed", call.mount.prefix(), failure);
            }
            call = leave(call) ? begin() : null;
        }
    }

    /** A call has come back. Whether its thread is one of those that count. */
    private boolean leave(Call call) {
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
            if (load.isNothing()) {
                loads.remove(call.handler);
            }
        }
        if (!counts) {
            LOG.info(
                    "HTTP handler of {}: a call came back after {} s",
                    call.mount.prefix(),
                    TimeUnit.NANOSECONDS.toSeconds(ticker.nanos() - call.begunNanos));
        }
        return counts;
    }

    /** The first that waits and may begin, begun; null when there is none. */
    private synchronized @Nullable Call begin() {
        Call next = firstThatMay(following);
        next = next == null ? firstThatMay(requests) : next;
        if (next != null) {
            next.begunNanos = ticker.nanos();
            running.add(next);
            load(next).running++;
        }
        return next;
    }

    private @Nullable Call firstThatMay(Deque<Call> waiting) {
        for (Iterator<Call> oldest = waiting.iterator(); oldest.hasNext() && running.size() < THREADS_MAX; ) {
            Call call = oldest.next();
            if (mayBegin(call)) {
                oldest.remove();
                return call;
            }
        }
        return null;
    }

    private Load load(Call call) {
        return loads.computeIfAbsent(call.handler, handler -> new Load());
    }

    private boolean mayBegin(Call call) {
        Load load = loads.getOrDefault(call.handler, Load.NONE);
        return running.size() < THREADS_MAX
                && (call.kind == Kind.ANSWER || (load.running < THREADS_PER_HANDLER_MAX && !hangs(call.handler)));
    }

    private boolean hangs(String handler) {
        int lost = loads.getOrDefault(handler, Load.NONE).abandoned;
        return lost >= THREADS_PER_HANDLER_MAX || (lost > 0 && abandoned >= ABANDONED_MAX);
    }

    private void abandon(Call call) {
        Load load = load(call);
        load.running--;
        load.abandoned++;
        abandoned++;
    }

    /** Takes out the requests whose handler hangs by now. */
    private void takeHanging(List<Call> vain) {
        requests.removeIf(call -> {
            boolean hanging = hangs(call.handler);
            if (hanging) {
                vain.add(call);
            }
            return hanging;
        });
    }

    private static RequestRefused busy() {
        return HttpError.BUSY
                .refused("requests: " + REQUESTS_WAITING_MAX + " wait already (expected: fewer); try again soon")
                .with("Retry-After", "1");
    }

    private static RequestRefused hanging(Call call) {
        return HttpError.BUSY
                .refused("handler of " + call.mount.prefix() + ": too many of its calls have not come back for "
                        + CALL_MAX.toSeconds() + " s (expected: an answer); it is asked again when some have")
                .with("Retry-After", Long.toString(CALL_MAX.toSeconds()));
    }

    private static void report(Call call) {
        Thread thread = call.thread;
        StackTraceElement[] stack = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
        LOG.warn(
                "HTTP handler of {}: a call of {} has not come back for {} s (expected: an answer); it is abandoned, at {}",
                call.mount.prefix(),
                call.mount.owner(),
                CALL_MAX.toSeconds(),
                stack.length == 0 ? "an unknown place" : stack[0]);
    }

    /** What runs on a thread of the pool. */
    interface Work {
        void run();

        /** Whether nobody waits for it any more. Any thread may call. */
        boolean isOver();

        /** It will not run. Any thread may call. */
        void refused(RequestRefused why);

        /** What is neither refused nor forgotten. */
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
                    throw new IllegalStateException("what follows from a request: refused (expected: never)", why);
                }
            };
        }
    }

    private enum Kind {
        REQUEST,
        ANSWER,
        LISTENING
    }

    /** One piece of work, and who it is for. */
    private static final class Call {
        private final Mount mount;
        private final String handler;
        private final Kind kind;
        private final Work work;
        private long begunNanos; // guarded by the pool
        private volatile @Nullable Thread thread;

        Call(Mount mount, Kind kind, Work work) {
            this.mount = mount;
            this.handler = mount.prefix() + " " + mount.order() + " " + mount.owner();
            this.kind = kind;
            this.work = work;
        }
    }

    /** The calls of one handler. Guarded by the pool. */
    private static final class Load {
        private static final Load NONE = new Load();

        private int running;
        private int abandoned;

        boolean isNothing() {
            return running == 0 && abandoned == 0;
        }
    }
}
