package dev.hearth.testkit;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.rpc.RpcCall;

/** Call of an endpoint by {@code peer}, which expects no answer; for tests of endpoints. */
public record OneWayCall(Peer peer) implements RpcCall {
    @Override
    public boolean asked() {
        return false;
    }

    @Override
    public void reply(Record answer) {
        // ignored
    }

    @Override
    public void fail(ErrorCode code, String message) {
        // ignored
    }
}
