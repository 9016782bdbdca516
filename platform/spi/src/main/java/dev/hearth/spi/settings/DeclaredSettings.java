package dev.hearth.spi.settings;

import org.osgi.annotation.versioning.ProviderType;

/** Settings declared by the bundles of this process. Implemented by the kernel. Any thread may call. */
@ProviderType
public interface DeclaredSettings {
    /** The settings that are declared now. */
    SettingsCatalog catalog();
}
