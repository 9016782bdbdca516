package dev.hearth.standalone.internal.daemon;

import dev.hearth.spi.net.RpcAddress;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Machines whose HTTP requests may change something on a cluster. */
enum AllowedRemotes {
    /** The machine of the master. */
    LOCAL,
    /** All that the port serves. */
    ALLOW,
    DENY;

    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.%]*");

    /** Whether a request from {@code remote}, an address with or without a port, is allowed. */
    boolean permit(String remote) {
        return switch (this) {
            case ALLOW -> true;
            case LOCAL -> isLocal(RpcAddress.parse(remote).map(RpcAddress::host).orElse(remote));
            case DENY -> false;
        };
    }

    private static boolean isLocal(String host) {
        if (!ADDRESS.matcher(host).matches()) {
            return false; // no name is looked up
        }
        try {
            InetAddress address = InetAddress.getByName(host);
            return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException | SocketException noAddress) {
            return false;
        }
    }
}
