package dev.hearth.yarn.internal.hadoop;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.yarn.webapp.util.WebAppUtils;

/** Addresses below which the proxies of a cluster publish an application. Stateless. */
public final class ProxyBases {
    private static final String PATH = "/proxy/";

    private ProxyBases() {}

    /** The bases of {@code application}, of all ResourceManagers or of the one proxy of its own. May resolve names. */
    public static List<String> of(Configuration configuration, String application) {
        try {
            String scheme = WebAppUtils.getHttpSchemePrefix(configuration);
            return HadoopThreads.call(() -> WebAppUtils.getProxyHostsAndPortsForAmFilter(configuration)).stream()
                    .map(hostAndPort -> scheme + hostAndPort + PATH + application)
                    .toList();
        } catch (RuntimeException failure) {
            throw failure;
        } catch (Exception impossible) { // the action above throws no other
            throw new IllegalStateException(impossible);
        }
    }
}
