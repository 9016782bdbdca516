package dev.hearth.yarn.internal.manager;

import dev.hearth.api.HearthException;
import dev.hearth.yarn.internal.site.HadoopSite;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Map;
import java.util.Optional;

/** Address at which executors in containers find the driver of this process. */
final class DriverAddress {
    /** Variable that a NodeManager sets in its containers. */
    private static final String NODE = "NM_HOST";

    private static final int ANY_PORT = 8032;

    private DriverAddress() {}

    /**
     * The name of the node in a container; otherwise the address of this machine from which it reaches the
     * ResourceManager. Sends nothing. Empty if the machine has only loopback addresses towards it that others cannot use.
     */
    static Optional<String> find(HadoopSite site, Map<String, String> environment) {
        Optional<String> node = Optional.ofNullable(environment.get(NODE)).filter(name -> !name.isBlank());
        if (node.isPresent()) {
            return node;
        }
        try {
            Optional<String> host = site.resourceManagerHost();
            return Optional.of(
                    host.isPresent()
                            ? towards(host.get())
                            : InetAddress.getLocalHost().getHostAddress());
        } catch (HearthException | UnknownHostException | SocketException unknown) {
            return Optional.empty(); // then the default of the driver counts, or what the user sets
        }
    }

    private static String towards(String host) throws UnknownHostException, SocketException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), ANY_PORT));
            return socket.getLocalAddress().getHostAddress();
        }
    }
}
