package dev.hearth.testkit.rpc;

import dev.hearth.spi.error.Failures;
import dev.hearth.spi.rpc.Protocol;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.testkit.MessageTransform;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Nested;

/** Runs the contracts of message systems on the simulated one. */
class SimulatedContractsTest {
    @Nested
    class Env extends RpcEnvContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    @Nested
    class Lifecycle extends RpcLifecycleContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    @Nested
    class Scopes extends RpcScopeContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    @Nested
    class Secrets extends RpcSecretContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    @Nested
    class Bounds extends RpcBoundsContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    @Nested
    class Refs extends RpcRefContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    @Nested
    class BulkData extends StreamsContract {
        @Override
        protected Ground begin() {
            return new SimulatedGround();
        }
    }

    /** One process per env; waiting runs events. */
    private static final class SimulatedGround implements RpcContract.Ground {
        private final Simulation simulation = new Simulation(1, new WrittenOut());
        private int processes;

        @Override
        public RpcContract.Party open(RpcSettings settings) {
            SimulatedProcess process = simulation.process("process-" + processes++);
            return new RpcContract.Party(process.env(settings), process.loop("endpoints"));
        }

        @Override
        public <T> T await(CompletionStage<T> stage) throws Exception {
            CompletableFuture<T> future = stage.toCompletableFuture();
            simulation.runUntil(future::isDone, Duration.ofMinutes(1));
            if (!future.isDone()) {
                throw new AssertionError("stage: not complete (expected: within a minute)");
            }
            try {
                return future.get();
            } catch (ExecutionException failed) {
                if (Failures.unwrap(failed) instanceof Exception failure) {
                    throw failure;
                }
                throw failed;
            }
        }

        @Override
        public void close() {
            // a simulation holds no resources
        }
    }

    /** Uses the length of a message's text form as its size. */
    private static final class WrittenOut implements MessageTransform {
        @Override
        public Record copy(Protocol protocol, Record message) {
            return message;
        }

        @Override
        public int size(Protocol protocol, Record message) {
            return message.toString().length();
        }
    }
}
