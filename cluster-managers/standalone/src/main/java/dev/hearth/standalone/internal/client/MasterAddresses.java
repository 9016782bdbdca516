package dev.hearth.standalone.internal.client;

import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.net.RpcAddress;
import java.util.ArrayList;
import java.util.List;

/** Addresses of masters in a URL such as {@code hearth://h1:7077,h2:7077}. */
public final class MasterAddresses {
    private MasterAddresses() {}

    public static List<RpcAddress> parse(MasterUrl url) {
        List<RpcAddress> addresses = new ArrayList<>();
        for (String part : url.rest().split(",", -1)) {
            addresses.add(RpcAddress.parse(part.trim())
                    .orElseThrow(() -> ErrorCode.BAD_ARGUMENT.failure(
                            "master URL " + url + ": '" + part + "' (expected: hearth://host:port[,host:port])")));
        }
        return addresses;
    }
}
