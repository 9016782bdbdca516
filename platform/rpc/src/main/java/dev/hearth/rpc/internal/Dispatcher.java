package dev.hearth.rpc.internal;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.rpc.Dispatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/** Where an endpoint runs: one action at a time, in the order given. Any thread may call. */
interface Dispatcher extends AutoCloseable {
    void run(Runnable action);

    /** Nothing more will be given; what was given still runs. */
    @Override
    void close();

    /** The place that {@code dispatch} says; {@code uncaught} hears what actions throw where no loop of a caller reports it. */
    static Dispatcher of(String endpoint, Dispatch dispatch, Executor shared, Consumer<Throwable> uncaught) {
        return switch (dispatch.kind()) {
            case LOOP -> new OnLoop(dispatch.loop().orElseThrow());
            case OWN_THREAD -> OnOwnThread.named("hearth-endpoint-" + endpoint, uncaught);
            case SHARED -> SerialDispatcher.shared(shared, uncaught);
            case INLINE -> SerialDispatcher.inline(uncaught);
        };
    }

    /** As actions of a loop that somebody else owns. */
    record OnLoop(EventLoop loop) implements Dispatcher {
        @Override
        public void run(Runnable action) {
            loop.execute(action);
        }

        @Override
        public void close() {
            // the loop is its owner's
        }
    }

    /** On a thread that ends after the last action; what is given later runs where it is given, to be refused there. */
    record OnOwnThread(ExecutorService thread, SerialDispatcher actions) implements Dispatcher {
        static OnOwnThread named(String name, Consumer<Throwable> uncaught) {
            ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
                Thread made = new Thread(work, name);
                made.setDaemon(true);
                return made;
            });
            return new OnOwnThread(thread, SerialDispatcher.shared(thread, uncaught));
        }

        @Override
        public void run(Runnable action) {
            actions.run(action);
        }

        @Override
        public void close() {
            thread.shutdown();
        }
    }
}
