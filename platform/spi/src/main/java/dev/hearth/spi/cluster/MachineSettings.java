package dev.hearth.spi.cluster;

import dev.hearth.spi.rpc.RpcSecurity;
import dev.hearth.spi.rpc.RpcSettings;
import dev.hearth.spi.settings.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Settings that describe a machine and not an application. They hold for the machine on which a process runs, so they
 * do not follow an application to another machine.
 */
public final class MachineSettings {
    /** Setting with the directories of temporary files, which the engine declares. */
    static final String LOCAL_DIRECTORIES = "hearth.local.dir";

    /** Settings of the submitter's machine that have no meaning on another one. */
    private static final List<String> LEFT = List.of(
            "hearth.driver.host",
            "hearth.driver.bindAddress",
            "hearth.launcher.port", // of the program that launched bin/submit
            "hearth.launcher.secret",
            RpcSecurity.CERTIFICATE.name(),
            RpcSecurity.PRIVATE_KEY.name(),
            RpcSecurity.TRUST.name());
    /** Settings of an application that hold unless the machine has its own. */
    private static final List<String> YIELDING = List.of(LOCAL_DIRECTORIES, RpcSettings.BIND_ADDRESS.name());

    private static final List<String> OF_CHILDREN = Stream.concat(
                    LEFT.stream().filter(key -> key.startsWith("hearth.ssl.")), YIELDING.stream())
            .toList();

    private MachineSettings() {}

    /** The settings of an application that another machine may use. */
    public static Map<String, String> without(Map<String, String> ofApplication) {
        Map<String, String> rest = new LinkedHashMap<>(ofApplication);
        rest.keySet().removeAll(LEFT);
        return rest;
    }

    /** The settings of a daemon that hold for the processes that it starts, whatever their application says. */
    public static Map<String, String> of(Settings daemon) {
        Map<String, String> own = new LinkedHashMap<>();
        OF_CHILDREN.forEach(key -> daemon.find(key).ifPresent(value -> own.put(key, value)));
        return own;
    }
}
