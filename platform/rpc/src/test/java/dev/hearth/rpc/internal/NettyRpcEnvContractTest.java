package dev.hearth.rpc.internal;

import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.rpc.RpcEnvContract;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;

/** The contract of every env, over real connections. */
class NettyRpcEnvContractTest extends RpcEnvContract {
    private final Envs envs = new Envs();

    @Override
    protected Party listening() {
        return party(RpcSettings.listening(Settings.empty(), "127.0.0.1", 0));
    }

    @Override
    protected Party connecting() {
        return party(RpcSettings.connecting(Settings.empty()));
    }

    @Override
    protected <T> T await(CompletionStage<T> stage) throws Exception {
        return bounded(stage);
    }

    @AfterEach
    void closeEnvs() {
        envs.close();
    }

    private Party party(RpcSettings settings) {
        return new Party(envs.open(settings), envs.loop("contract"));
    }
}
