package dev.hearth.standalone.internal.ledger;

import dev.hearth.spi.id.ApplicationId;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.standalone.internal.protocol.DriverSpec;
import dev.hearth.standalone.internal.protocol.DriverStatus.DriverState;
import java.util.List;
import java.util.OptionalInt;

/**
 * One change of what a master must not forget. {@link FactForm} gives each record a number, which never changes;
 * components are only added at the end. Times are in milliseconds since 1970.
 */
public sealed interface Fact {
    void accept(Handler handler);

    /** A master begins to lead. {@code cluster} names the log, from its first fact on; empty in facts of older releases. */
    record EpochBegun(long epoch, String master, long wallMillis, String cluster) implements Fact {
        public EpochBegun(long epoch, String master, long wallMillis) {
            this(epoch, master, wallMillis, "");
        }

        /** The same fact about the log {@code name}. */
        public EpochBegun of(String name) {
            return new EpochBegun(epoch, master, wallMillis, name);
        }

        @Override
        public void accept(Handler handler) {
            handler.onEpoch(this);
        }
    }

    /** So many submissions and applications have got ids so far, the last one at {@code wallMillis}. */
    record NumbersUsed(int submissions, int applications, long wallMillis) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onNumbers(this);
        }
    }

    /** The master has taken a submission. */
    record DriverTaken(SubmissionId id, String request, DriverSpec spec, long wallMillis) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onTaken(this);
        }
    }

    /**
     * A worker is to start the driver, as start number {@code attempt}, after {@code restarts} restarts. {@code session} is
     * that of the worker; empty if it has none, and in facts of older releases. {@code pages} is where the worker serves
     * the output of the driver; empty as well.
     */
    record DriverPlaced(
            SubmissionId id,
            int attempt,
            int restarts,
            String worker,
            String workerAddress,
            String directory,
            long wallMillis,
            String session,
            String pages)
            implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onPlaced(this);
        }
    }

    /** The present attempt has ended, as {@code lastEnd} says, and the worker of the driver may begin the next one. */
    record DriverBackedOff(SubmissionId id, int attempt, int restarts, String lastEnd) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onBackedOff(this);
        }
    }

    /** The driver has lost its worker after attempts up to {@code attemptLast}, and is to start elsewhere. */
    record DriverLeft(SubmissionId id, int attempt, int attemptLast, int restarts, String why, String worker)
            implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onLeft(this);
        }
    }

    /** A user wants the driver, or its application, to end. */
    record DriverKillAsked(SubmissionId id, boolean ofApplication) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onKillAsked(this);
        }
    }

    /** The driver has reached its final state. */
    record DriverClosed(
            SubmissionId id,
            DriverState how,
            String why,
            OptionalInt exitStatus,
            String output,
            String errors,
            long wallMillis)
            implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onClosed(this);
        }

        DriverClosed withoutOutput() {
            return new DriverClosed(id, how, why, exitStatus, "", "", wallMillis);
        }
    }

    /** The master shows these drivers, which have ended, no more; their requests are still known. */
    record DriversForgotten(List<SubmissionId> ids) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onForgotten(this);
        }
    }

    /** The requests of these drivers, which the master has forgotten, are known no more. */
    record RequestsForgotten(List<SubmissionId> ids) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onRequestsForgotten(this);
        }
    }

    /** The numbers of executors of an application below {@code below} may have been used. */
    record ExecutorIdsReserved(ApplicationId application, int below) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onIdsReserved(this);
        }
    }

    /** These applications have ended, or have not registered again. */
    record ApplicationsClosed(List<ApplicationId> applications) implements Fact {
        @Override
        public void accept(Handler handler) {
            handler.onApplicationsClosed(this);
        }
    }

    /** Handler of all facts, one method for each. */
    interface Handler { // without default methods, so that a handler must implement each new fact to compile
        void onEpoch(EpochBegun fact);

        void onNumbers(NumbersUsed fact);

        void onTaken(DriverTaken fact);

        void onPlaced(DriverPlaced fact);

        void onBackedOff(DriverBackedOff fact);

        void onLeft(DriverLeft fact);

        void onKillAsked(DriverKillAsked fact);

        void onClosed(DriverClosed fact);

        void onForgotten(DriversForgotten fact);

        void onRequestsForgotten(RequestsForgotten fact);

        void onIdsReserved(ExecutorIdsReserved fact);

        void onApplicationsClosed(ApplicationsClosed fact);
    }
}
