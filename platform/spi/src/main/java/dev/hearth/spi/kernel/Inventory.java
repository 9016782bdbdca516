package dev.hearth.spi.kernel;

import java.util.List;
import java.util.Map;
import org.osgi.annotation.versioning.ProviderType;

/** List of the bundles and services of this process. Implemented by the module kernel. Any thread may call. */
@ProviderType
public interface Inventory {
    List<BundleEntry> bundles();

    List<ServiceEntry> services();

    /**
     * Explains the state of a bundle: which dependencies are missing and which bundle could provide them, or what the
     * running bundle provides. {@code bundle} is an id or a symbolic name.
     */
    String why(String bundle);

    /**
     * Bundle of this process. {@code from} is the directory of its jar: {@code bundles} or {@code deploy}.
     * {@code problem} is empty for a running bundle.
     */
    record BundleEntry(long id, String name, String version, String state, String from, String problem) {}

    /**
     * Service of this process. {@code properties} contains, as text, the service properties that distinguish it from
     * other services of the same type.
     */
    record ServiceEntry(long id, List<String> types, String bundle, Map<String, String> properties) {}
}
