package dev.hearth.kubernetes.internal.pod;

import dev.hearth.spi.cluster.ResourceRequest;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.SettingsReader;
import java.util.LinkedHashMap;
import java.util.Map;

/** Resources besides cores and memory, by the names that device plug-ins have on Kubernetes: vendor and resource. Pure. */
final class Devices {
    private Devices() {}

    /** Numbers of devices by the name of the resource of Kubernetes. */
    static Map<String, Integer> of(Map<String, ResourceRequest> requests) {
        Map<String, Integer> devices = new LinkedHashMap<>();
        requests.values().forEach(request -> devices.put(request.vendor() + "/" + request.name(), request.amount()));
        return devices;
    }

    /** Records a problem for each request without a vendor, which {@code family} then has to name. */
    static void check(Map<String, ResourceRequest> requests, SettingKey<String> family, SettingsReader in) {
        requests.values()
                .forEach(request -> in.expectMember(
                        !request.vendor().isEmpty(),
                        family,
                        request.name() + ".vendor",
                        "the domain of the vendor, such as nvidia.com"));
    }
}
