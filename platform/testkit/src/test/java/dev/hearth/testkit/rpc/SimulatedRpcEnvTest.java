package dev.hearth.testkit.rpc;

import dev.hearth.spi.error.Failures;
import dev.hearth.testkit.SimulatedProcess;
import dev.hearth.testkit.Simulation;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** The simulated message system keeps the contract of the real one. */
class SimulatedRpcEnvTest extends RpcEnvContract {
    private final Simulation simulation = new Simulation(1);
    private int processes;

    @Override
    protected Party listening() {
        SimulatedProcess process = simulation.process("server-" + processes++);
        return new Party(process.env("127.0.0.1", 0), process.loop("endpoints"));
    }

    @Override
    protected Party connecting() {
        SimulatedProcess process = simulation.process("client-" + processes++);
        return new Party(process.env(), process.loop("endpoints"));
    }

    @Override
    protected <T> T await(CompletionStage<T> stage) throws Exception {
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
}
