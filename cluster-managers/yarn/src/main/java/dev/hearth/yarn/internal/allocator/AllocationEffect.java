package dev.hearth.yarn.internal.allocator;

import dev.hearth.spi.cluster.LostExecutor;
import dev.hearth.spi.cluster.ProfileId;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.ExecutorId;
import dev.hearth.yarn.internal.line.GrantedContainer;
import dev.hearth.yarn.internal.line.LineOrders;
import java.time.Duration;
import java.util.Optional;

/** Effect of an event on an {@link Allocator}. {@code context} is the context of the executor's driver. Immutable. */
public sealed interface AllocationEffect {
    void perform(Handler handler);

    /** Adds orders to the next beat of the line. */
    record Order(LineOrders orders) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onOrder(this);
        }
    }

    /** Lets the line beat after {@code after}, or earlier. */
    record Beat(Duration after) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onBeat(this);
        }
    }

    /** Reports an executor as started, and starts its process in {@code container}. */
    record Start(int context, ExecutorId executor, ProfileId profile, GrantedContainer container)
            implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStart(this);
        }
    }

    /** Ends a container through its NodeManager, as the ResourceManager does not answer. */
    record Stop(GrantedContainer container) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStop(this);
        }
    }

    /** Reports that YARN takes an executor away; {@code within} is the time that is left, if known. */
    record Leaving(int context, ExecutorId executor, String reason, Optional<Duration> within)
            implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLeaving(this);
        }
    }

    /** Reports that YARN leaves an executor after all. */
    record Staying(int context, ExecutorId executor) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onStaying(this);
        }
    }

    record Lost(int context, ExecutorId executor, LostExecutor why, GrantedContainer container)
            implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onLost(this);
        }
    }

    /** Reports why no executors start; an empty reason says that nothing hinders them any more. */
    record Hindered(int context, String reason, boolean unplaceable) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onHindered(this);
        }
    }

    /** Ends the application, because YARN supplies no more executors that run. */
    record GiveUp(ErrorCode code, String reason) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onGiveUp(this);
        }
    }

    /** Calls {@link Allocator#tick} after a delay. */
    record Wake(Duration after) implements AllocationEffect {
        @Override
        public void perform(Handler handler) {
            handler.onWake(this);
        }
    }

    /** Performs effects, each in a method of its own. */
    interface Handler { // without default methods, so that a handler must implement each new effect to compile
        void onOrder(Order effect);

        void onBeat(Beat effect);

        void onStart(Start effect);

        void onStop(Stop effect);

        void onLeaving(Leaving effect);

        void onStaying(Staying effect);

        void onLost(Lost effect);

        void onHindered(Hindered effect);

        void onGiveUp(GiveUp effect);

        void onWake(Wake effect);
    }
}
