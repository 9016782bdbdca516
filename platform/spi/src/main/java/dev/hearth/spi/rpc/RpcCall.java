package dev.hearth.spi.rpc;

import dev.hearth.spi.error.ErrorCode;
import org.osgi.annotation.versioning.ProviderType;

/** One message on its way in. The answer may be given later and from any thread, once. */
@ProviderType
public interface RpcCall {
    Peer peer();

    /** Whether somebody waits for an answer; when not, the answers below go nowhere. */
    boolean asked();

    void reply(Record answer);

    void fail(ErrorCode code, String message);
}
