package dev.hearth.rpc.internal;

import dev.hearth.spi.loop.EventLoop;
import dev.hearth.spi.loop.ThreadEventLoop;
import dev.hearth.spi.rpc.Dispatch;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Where an endpoint runs: one action at a time, in the order given. Any thread may call. */
interface Place extends AutoCloseable {
    void run(Runnable action);

    /** Nothing more will be given; what was given still runs. */
    @Override
    void close();

    /** The place that {@code dispatch} says; {@code uncaught} hears what actions throw where no loop of a caller reports it. */
    static Place of(String endpoint, Dispatch dispatch, Executor shared, Consumer<Throwable> uncaught) {
        return switch (dispatch.kind()) {
            case LOOP -> new OnLoop(dispatch.loop().orElseThrow());
            case OWN_THREAD -> new OnOwnThread(new ThreadEventLoop("hearth-endpoint-" + endpoint, uncaught));
            case SHARED -> SerialPlace.shared(shared, uncaught);
            case INLINE -> SerialPlace.inline(uncaught);
        };
    }

    /** As actions of a loop that somebody else owns. */
    record OnLoop(EventLoop loop) implements Place {
        @Override
        public void run(Runnable action) {
            loop.execute(action);
        }

        @Override
        public void close() {
            // the loop is its owner's
        }
    }

    /** On a thread that ends after the last action. */
    record OnOwnThread(ThreadEventLoop loop) implements Place {
        @Override
        public void run(Runnable action) {
            loop.execute(action);
        }

        @Override
        public void close() {
            loop.execute(loop::close);
        }
    }
}
