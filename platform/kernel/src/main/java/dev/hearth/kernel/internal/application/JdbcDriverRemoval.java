package dev.hearth.kernel.internal.application;

import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/**
 * Deregisters the JDBC drivers that the class loader of this class has loaded, and returns their names. {@link
 * LeakCleanup} defines a copy of this class in the loader of each application that used drivers. The class therefore
 * uses only classes of the JDK.
 */
public final class JdbcDriverRemoval implements Supplier<List<String>> {
    @Override
    public List<String> get() {
        ClassLoader own = JdbcDriverRemoval.class.getClassLoader();
        List<String> removed = new ArrayList<>();
        for (Driver driver : Collections.list(DriverManager.getDrivers())) {
            if (driver.getClass().getClassLoader() == own) {
                try {
                    DriverManager.deregisterDriver(driver);
                    removed.add(driver.getClass().getName());
                } catch (SQLException | RuntimeException refused) {
                    removed.add(driver.getClass().getName() + ", which refused: " + refused);
                }
            }
        }
        return removed;
    }
}
